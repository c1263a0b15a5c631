"""How the codes of Data Commons' schema are said in words: populations, measures, statistics, constraints."""

from __future__ import annotations

POPULATIONS = {
    "Person": "people", "BLSWorker": "workers", "BLSEstablishment": "establishments",
    "USCEstablishment": "establishments", "MortalityEvent": "deaths", "BirthEvent": "births",
    "LiveBirthPregnancyEvent": "live births", "MedicalConditionIncident": "cases of illness",
    "HateCrimeIncidents": "hate crimes", "CriminalActivities": "crimes", "EconomicActivity": "economic activity",
    "ConsumerGoodsAndServices": "consumer goods and services", "Debt": "debt", "Emissions": "emissions",
    "Fuel": "fuel", "Electricity": "electricity", "Energy": "energy", "Coal": "coal", "Water": "water",
    "Households": "households", "Children": "children", "Faculty": "faculty members", "Mother": "mothers",
    "PregnantWoman": "pregnant women", "FarmInventory": "farm products", "NaturalHazardImpact": "natural hazards",
    "NaturalHazardInsurance": "flood insurance", "VehicleCrashIncident": "vehicle crashes",
    "DrugDistribution": "prescription drugs", "LandCover": "land cover", "SuperfundSite": "Superfund sites",
    "TreasurySecurity": "US Treasury securities", "ACSEDParent": "parents", "CycloneEvent": "cyclones",
    "EarthquakeEvent": "earthquakes", "Currency": "currency", "Commodity": "commodities", "Food": "food",
    "Place": "", "Thing": "", "StatisticalVariable": "", "Atmosphere": "the air", "BodyOfWater": "water bodies",
    "SeaBodyOfWater": "the sea", "NetworkSubscriber": "telecom subscribers", "ExpenditureActivity": "spending",
    "UnemploymentInsuranceClaim": "unemployment insurance claims", "FinancialTransaction": "payments",
}  # fmt: skip
"""A population type as a noun in the plural; an empty text where the measure says it all."""

PEOPLE_OF_SEX = {
    "Person": {"Female": "women", "Male": "men"},
    "Student": {"Female": "female students", "Male": "male students"},
}
CHILDREN_OF_SEX = {"Female": "girls", "Male": "boys"}

MEASURES = {
    "amount": "amount", "amountOutstanding": "outstanding amount", "amountPrincipalRepayment":
    "repayment of principal", "amountInterestRepayment": "repayment of interest", "wagesAnnual": "annual wages",
    "wagesTotal": "total wages", "wagesWeekly": "weekly wages", "wagesDaily": "daily wages",
    "wagesMonthly": "monthly wages", "generation": "generation", "isContaminated": "contamination",
    "lmpGestationalAge": "gestational age from the last period", "oeGestationalAge":
    "gestational age by obstetric estimate", "prePregnancyBMI": "body mass index before pregnancy",
    "femaNaturalHazardRiskIndex": "natural hazard risk index", "consumerPriceIndex": "consumer price index",
    "compositeConsumerPriceIndex": "composite consumer price index", "surfaceLevel": "surface level",
    "covid19MobilityTrend": "mobility trend during COVID-19", "countOfClaims": "number of claims",
    "settlementAmount": "settlement amount", "value": "", "percent": "percentage",
}  # fmt: skip
"""A measured property as a noun; the others are their own words."""

STATISTICS = {
    "measuredValue": "", "measurementResult": "", "meanValue": "average", "medianValue": "median",
    "maxValue": "highest", "minValue": "lowest", "growthRate": "growth rate of", "marginOfError":
    "margin of error of", "sampleSize": "sample size of", "confidenceIntervalLowerLimit":
    "lower confidence limit of", "confidenceIntervalUpperLimit": "upper confidence limit of",
    "stdError": "standard error of", "varianceValue": "variance of", "rankingValue": "rank by",
    "decileValue": "decile by", "percentile10": "10th percentile of", "percentile90": "90th percentile of",
    "percentileRankValue": "percentile rank by", "stdDeviationValue": "standard deviation of",
    "skewnessValue": "skewness of", "kurtosisValue": "kurtosis of", "palmaRatio": "Palma ratio of",
    "percentDeviationValue": "percent deviation of",
}  # fmt: skip

COMPANIONS = {
    "marginOfError": "marginOfError", "confidenceIntervalLowerLimit": "confidenceLower",
    "confidenceIntervalUpperLimit": "confidenceUpper", "stdError": "standardError", "sampleSize": "sampleSize",
}  # fmt: skip
"""Statistics about the quality of a figure, and the term under which the figure's own leaf names them."""

PERIODS = frozenset({"Annual", "Monthly", "Quarterly", "Weekly", "Daily", "Hourly", "Triennial", "EveryWeekday"})
QUALIFIERS = {
    "Offense": "counted by offense", "Victim": "counted by victim", "Offender": "counted by offender",
    "BLSSeasonallyUnadjusted": "not seasonally adjusted", "BLSSeasonallyAdjusted": "seasonally adjusted",
    "Adjusted": "adjusted", "Unadjusted": "unadjusted", "Nominal": "nominal", "RealValue": "real",
    "DifferenceRelativeToBaseDate": "change from a base date",
    "DifferenceRelativeToObservedData": "difference from observations",
    "DifferenceAcrossModels": "spread across models", "AgeAdjusted": "age-adjusted",
    "AnnualChange": "change in a year", "DataSuppressed": "suppressed figures",
}  # fmt: skip

PHRASES = {
    "age": "aged {}", "ageGroupClassification": "{}", "placeOfResidenceClassification": "in {} areas",
    "placeOfBirth": "born in {}", "educationalAttainment": "with {}", "schoolSubject": "in {}",
    "schoolGradeLevel": "in {}",
    "causeOfDeath": "from {}", "naics": "in {}", "industry": "in {}", "economicSector": "in {}",
    "lendingEntity": "owed to {}", "currency": "in {}", "consumingSector": "used by {}", "usedFor": "for {}",
    "emissionSource": "from {}", "biasMotivation": "motivated by bias on {}", "targetedReligion": "against {}",
    "targetedRace": "against people who are {}", "targetedGender": "against people who are {}",
    "targetedSexualOrientation": "against people who are {}", "targetedEthnicity": "against people who are {}",
    "targetedDisabilityStatus": "against people with {}", "offenderRace": "by {} offenders",
    "offenderEthnicity": "by {} offenders", "householderRace": "with a householder who is {}",
    "householderAge": "with a householder aged {}", "householderGender": "with a {} householder",
    "householderEducationalAttainment": "with a householder who is {}", "mothersAge": "to mothers aged {}",
    "mothersRace": "to mothers who are {}", "mothersEducation": "to mothers with {}",
    "mothersMaritalStatus": "to mothers who are {}", "mothersEthnicity": "to mothers who are {}",
    "mothersNativity": "to mothers who are {}", "languageSpokenAtHome": "speaking {} at home",
    "occupation": "working in {}", "income": "with income of {}", "earnings": "with earnings of {}",
    "householdSize": "with {}", "commuteMode": "commuting by {}", "commuteTime": "with a commute of {}",
    "commuteStartTime": "leaving for work at {}", "energySource": "from {}", "fuelType": "{}",
    "emittedThing": "of {}", "contaminant": "with {}", "contaminatedThing": "in {}", "pollutant": "of {}",
    "drugPrescribed": "{}", "victimAge": "with victims aged {}", "locationOfCrime": "at {}",
    "workPeriod": "working {} a year", "consumer": "for {}s", "establishmentOwnership": "{}",
    "numberOfVehicles": "with {}", "numberOfVehiclesInHousehold": "with {} in the household",
    "numberOfRooms": "with {}", "numberOfBedrooms": "with {}", "dateOfEntry": "who came in {}",
    "dateMovedIn": "who moved in {}", "dateBuilt": "built in {}", "religion": "of {}",
    "medicalCondition": "{}", "etiology": "caused by {}", "transmissionMode": "by {}",
    "issuerBank": "of {}", "floodZoneType": "in {}", "facultyType": "{}", "levelOfSchool": "{}",
    "schoolManagement": "managed by {}", "householderWorkStatus": "with a householder who is {}",
    "grossRent": "with gross rent of {}", "homeValue": "worth {}", "ownerCost": "with owner costs of {}",
    "producingSector": "produced by {}", "electricityProducingSector": "produced by {}",
    "powerPlantSector": "by {}", "bachelorsDegreeMajor": "with a bachelor's degree in {}",
    "languageFluencyLevel": "{}", "expenditureType": "for {}", "revenueSource": "from {}",
    "fromCurrency": "from {}", "toCurrency": "to {}", "sdg_sex": "{}", "height": "{}",
    "internetUsageLocation": "using the internet at {}", "internetUsagePurpose": "using the internet for {}",
    "jobChangeEvent": "{}", "citizenship": "{}", "tradePartner": "with {}", "climateModel": "by model {}",
    "emissionsScenario": "under scenario {}", "socioeconomicScenario": "under scenario {}",
    "baseDate": "against {}", "endDate": "until {}", "comparisonRegion": "compared within {}",
    "activityFrequency": "{}", "householderRelatedChildrenUnder18Years": "with {} related under 18",
    "householderOwnChildrenUnder18Years": "with {} of their own under 18", "familySize": "with {}",
    "usualHoursWorked": "working {} a week", "activityDuration": "for {}", "healthBehavior": "{}",
}  # fmt: skip
"""The phrase of a constraint; a property that is not here says its value, or its own words and the value."""

FLAGS = {
    "isInternetUser": ("using the internet", "not using the internet"),
    "hasComputer": ("with a computer", "without a computer"),
    "hasFunctionalToilet": ("with a working toilet", "without a working toilet"),
}

VALUES = {
    "USC_ForeignBorn": "foreign born", "ForeignBorn": "foreign born", "USC_Native": "native born",
    "Native": "native born", "USC_FullTimeYearRoundWorker": "working full time all year round",
    "BelowPovertyLevelInThePast12Months": "below the poverty level",
    "AbovePovertyLevelInThePast12Months": "above the poverty level",
    "PovertyStatusDetermined": "whose poverty status is determined", "NoHealthInsurance":
    "without health insurance", "WithHealthInsurance": "with health insurance",
    "BachelorsDegreeOrHigher": "a bachelor's degree or higher", "BachelorsDegree": "a bachelor's degree",
    "MastersDegree": "a master's degree", "DoctorateDegree": "a doctorate", "AssociatesDegree":
    "an associate's degree", "HighSchoolGraduateIncludesEquivalency": "a high school diploma or equivalent",
    "CollegeGraduate": "a college degree", "COVID19": "COVID-19", "USC_AgeNotStated": "not stated",
    "NAICS/44-45": "retail trade", "NAICS/31-33": "manufacturing", "NAICS/48-49":
    "transportation and warehousing", "OccupiedHousingUnit": "occupied", "VacantHousingUnit": "vacant",
    "USC_CarTruckOrVanDroveAlone": "driving alone", "USC_CarTruckOrVanCarpooled": "carpool",
    "PublicTransportationExcludingTaxicab": "public transportation", "UrbanConsumer": "urban consumer",
    "UrbanWageEarnerAndClericalWorker": "urban wage earner and clerical worker", "wikidataId/Q21": "England",
    "LatinAmerica": "Latin America", "europe": "Europe", "asia": "Asia", "africa": "Africa",
    "PM10": "PM10", "PM2.5": "PM2.5", "SmokePM2.5": "PM2.5 from smoke", "YearOnChange": "on the year before",
    "MonthOnChange": "on the month before", "QuarterOnChange": "on the quarter before", "AllItems": "all items",
    "WithDisability": "with a disability", "NoDisability": "without a disability",
    "InflationAdjustedUSD_CurrentYear": "", "USD": "US dollars", "EUR": "euros", "GBP": "pounds sterling",
    "JPY": "Japanese yen", "CHF": "Swiss francs", "SDR": "special drawing rights", "FamilyHousehold":
    "family households", "MarriedCoupleFamilyHousehold": "married-couple families",
    "SingleMotherFamilyHousehold": "single-mother families", "SingleFatherFamilyHousehold":
    "single-father families", "OwnerOccupied": "owner-occupied", "RenterOccupied": "renter-occupied",
    "NACE/A": "agriculture, forestry and fishing", "NACE/B-E": "industry except construction",
    "NACE/C": "manufacturing", "NACE/F": "construction", "NACE/G-I":
    "trade, transport, accommodation and food services", "NACE/G-J":
    "trade, transport, accommodation, food services, information and communication",
    "NACE/J": "information and communication", "NACE/K": "financial and insurance activities",
    "NACE/K-N": "financial, real estate, professional and administrative activities",
    "NACE/L": "real estate activities",
    "NACE/M-N": "professional, scientific, technical and administrative activities",
    "NACE/O-Q": "public administration, defence, education, health and social work",
    "NACE/O-U": "public administration, education, health, arts and other services",
    "NACE/R-U": "arts, entertainment, recreation and other services",
    "BLS_InLaborForce": "in the labor force", "BLS_NotInLaborForce": "not in the labor force",
    "InLaborForce": "in the labor force", "NotInLaborForce": "not in the labor force",
}  # fmt: skip

PREFIXES = ("USC_", "BLS_", "UCR_", "CDC_", "UDISE_", "ZA_", "NHTSA_", "CA_", "SGP_", "FIN_", "WorldBank_")
"""Marks of who coined a value; they tell a reader nothing."""

NAMES = frozenset({"lendingEntity", "issuerBank", "climateModel", "brazilAidDistributionPartner"})
"""Constraints whose values are proper names, which keep their capitals."""

SAID_BY_MEASURE = frozenset({
    ("householdType", "Household"), ("activitySource", "GrossDomesticProduction"), ("debtType",
    "LongTermExternalDebt"), ("medicalStatus", "LiveBirth"), ("armedForcesStatus", "Civilian"),
    ("institutionalization", "USC_NonInstitutionalized"), ("transportationType", "LocalAreaTransportation"),
    ("offenderType", "OffenderRaceKnown"), ("offenderType", "OffenderEthnicityKnown"),
    ("offenderType", "OffenderAttributesKnown"),
})  # fmt: skip
"""Constraints that every row of a family has; they go last in a title."""

COVERAGE = (
    (r"india|udise|wris|mospi|plfs|rbi", "India"), (r"south_?africa", "South Africa"),
    (r"southkorea", "South Korea"), (r"mongolia", "Mongolia"), (r"egypt", "Egypt"), (r"nigeria", "Nigeria"),
    (r"singapore", "Singapore"), (r"canada", "Canada"), (r"argentina", "Argentina"), (r"colombia", "Colombia"),
    (r"rwanda", "Rwanda"), (r"australia", "Australia"), (r"kenya", "Kenya"), (r"ethiopia", "Ethiopia"),
    (r"mexico", "Mexico"), (r"israel", "Israel"), (r"sweden", "Sweden"), (r"srilanka", "Sri Lanka"),
    (r"brazil", "Brazil"), (r"cotedivoire", "Ivory Coast"), (r"poland", "Poland"), (r"uganda", "Uganda"),
    (r"finland", "Finland"), (r"bulgaria", "Bulgaria"), (r"ireland", "Ireland"), (r"vietnam", "Vietnam"),
    (r"france", "France"), (r"japan", "Japan"), (r"indonesia", "Indonesia"), (r"new_?zealand", "New Zealand"),
    (r"denmark", "Denmark"), (r"zurich", "Zurich"), (r"uk_imd", "England"), (r"eurostat", "Europe"),
    (r"usc_|census|acs_|cdc|nndss|bls_|fbi|nces|crdc|ncses|ntia|ccd_|us_|usda|usgs|epa|fema|usmonthly|monthly_retail"
     r"|fars|sat_act|nchs|brfss|california|newyork|bea|hud|feeding_america|deepsolar|commerce_eda|nyu_tennessee"
     r"|superfund|uschool|eph_heat|usc|nrel|commercial_buildings", "United States"),
)  # fmt: skip
"""A part of a schema file's name, and the country or region for which its variables are
published. The first that fits stands: other countries have censuses too."""
