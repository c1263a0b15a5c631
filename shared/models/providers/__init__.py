"""Language models behind one port: each module speaks one wire format."""
