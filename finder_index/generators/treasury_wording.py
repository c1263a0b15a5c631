"""What people call the data sets of the US Treasury, whose own names are those of reports."""

from __future__ import annotations

from collections.abc import Mapping

PLAINLY: Mapping[str, tuple[str, ...]] = {
    "debt-to-the-penny": ("national debt of the United States", "total public debt outstanding, day by day"),
    "historical-debt-outstanding": ("national debt of the United States in past years",),
    "monthly-statement-public-debt": ("US public debt by kind of security", "federal debt limit"),
    "schedules-federal-debt": ("changes of the federal debt by month",),
    "interest-expense-debt-outstanding": ("interest paid on the national debt",),
    "average-interest-rates-treasury-securities": ("interest rates of Treasury bills, notes and bonds",),
    "average-interest-rates": ("interest rates of Treasury bills, notes and bonds",),
    "daily-treasury-statement": ("cash that the federal government holds, takes in and pays out each day",),
    "monthly-treasury-statement": (
        "federal budget deficit or surplus of the United States",
        "federal revenue and spending by month",
    ),
    "status-report-government-gold-reserve": ("gold held by the United States, in ounces and dollars",),
    "gold-reserve": ("gold held by the United States, in ounces and dollars",),
    "treasury-reporting-rates-exchange": ("foreign currency per US dollar, official exchange rates",),
    "gift-contributions-reduce-debt-held-by-public": ("donations made to pay down the national debt",),
    "gift-contributions": ("donations made to pay down the national debt",),
    "savings-bonds-issues-redemptions-maturities-by-series": ("savings bonds sold, cashed and matured",),
    "savings-bonds": ("savings bonds sold, cashed and matured",),
    "savings-bond-value-files": ("what a savings bond is worth",),
    "redemption-tables": ("what a savings bond is worth",),
    "i-bonds-interest-rates": ("interest rate of I bonds",),
    "ssa-title-xii-advance-activities": ("what states borrow to pay unemployment benefits",),
    "revenue-collections-management": ("federal taxes and fees collected",),
    "top-treasury-offset-program": ("tax refunds and other payments withheld for unpaid debts",),
    "treasury-offset-program": ("tax refunds and other payments withheld for unpaid debts",),
    "auctions": ("results of auctions of Treasury bills, notes and bonds",),
    "combined-statement": ("receipts and outlays of the federal government by account and year",),
    "monthly-treasury-disbursements": ("payments that the Treasury makes for agencies by month",),
}
"""By the last part of a data set's address, as both of its catalogs spell it."""
