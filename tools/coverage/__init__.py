"""What comes of questions that others collected: read from their files, sorted by outcome, held against labels."""
