"""How people speak of quantities, and the words by which quantities are published.

Every table is ordered: the first form that matches wins. The forms see a phrase in lower case from which
names, times, bounds and the form of the question are gone.
"""

from __future__ import annotations

import re

# A whole phrase and the quantity it asks for. ``share`` forms are kept apart from counts.
WHOLE: tuple[tuple[str, str], ...] = (
    (r"(?:the )?(?:people|persons?|inhabitants?|residents?|citizens|humans|human beings|souls|head ?count|total people|population size"
     r"|populations?|total populations?|overall populations?|(?:large|big|small|many|huge) populations?|people (?:there )?(?:live[ds]?|living|reside|residing|are|in total|total|there)"
     r"|inhabitants live|populous|populated|crowded|population count|population number|population figures?|population total|number population|pop"
     r"|people (?:that )?(?:inhabit|populate)|everyone|folks?|folks live|people call home|call home|home|peoples)", "population"),
    (r"(?:more )?(?:densely|sparsely|thinly|heavily) populated|population densit(?:y|ies)|dense(?:ly)?(?: population)?|people per (?:sq\.?|square) (?:km|kilomet(?:er|re)s?|mile)"
     r"|people (?:live )?per (?:sq\.?|square) (?:km|kilomet(?:er|re)s?|mile)|densit(?:y|ies)(?: of population)?|crowded", "population density"),
    (r"(?:size |scale |value |worth |output )?(?:of )?(?:the )?(?:whole |entire |national |total )?econom(?:y|ies)(?: size| worth| output)?|econom(?:y|ies) (?:large|big|small|worth|produce[sd]?)"
     r"|(?:large|big|small|strong|powerful) econom(?:y|ies)|economic (?:output|size)|(?:total |national )?economic output|national product|gdp(?: figure| value| number| total)?s?|gross product"
     r"|(?:nominal )?gdp nominal|domestic product|worth economy|economically (?:powerful|strong)", "gdp"),
    (r"rich|wealthy|wealth|prosper(?:ous|ity)|well[- ]off|affluent|affluence|poor|people rich|rich people|wealthy people|richness|impoverished"
     r"|(?:average )?(?:income|wealth) (?:per capita|of people)|living standards?|standards? of living|gdp per (?:head|person|inhabitant|capita|citizen|resident)(?: income)?"
     r"|per capita gdp|gdp capita|gdp pc|economic output per (?:head|person|capita)", "gdp per capita"),
    (r"(?:nominal|current) gdp", "nominal gdp"),
    (r"(?:economy |economic |gdp |the )*(?:economy|gdp|economic|economically) (?:growth|growing|grow|grew|expand(?:ed|ing)?|expansion)(?: rate| fast| quickly| rapidly)?|growth of (?:the )?(?:economy|gdp)|annual (?:gdp|economic) growth(?: rate)?"
     r"|growth rate(?: of (?:the )?(?:economy|gdp))?|(?:fast|quickly|rapidly) (?:is |did |does |was )?(?:the )?(?:economy|gdp) (?:grow(?:ing)?|expand(?:ing)?)|(?:economy|gdp) (?:fast|quick|quickly|rapidly) (?:grow(?:ing)?|expand(?:ing)?)"
     r"|growth in (?:the )?(?:economy|gdp)|rate of (?:economic|gdp) growth", "gdp growth"),
    (r"population (?:grow(?:th|ing)?|grew|increas(?:e|ing))(?: rate| fast| quickly| rapidly)?|growth (?:rate )?of (?:the )?population|population (?:fast|quickly|rapidly) growing"
     r"|(?:fast|quickly|rapidly) (?:is )?(?:the )?population grow(?:ing)?|population growth (?:fast|rate annual)", "population growth"),
    (r"(?:people )?(?:live|living|lives?) long(?:er)?(?: lives)?|long(?:er)?(?: do| does)?(?: the)?(?: average| typical)?(?: people| person| citizens?| inhabitants| residents| folks| man or woman)? (?:can )?(?:expect to )?(?:live|survive|lives)(?: for)?"
     r"|(?:old|long) (?:do|does|can|will) (?:the )?(?:average |typical )?(?:people|person|folks|citizens|inhabitants|residents|one|you|someone)(?: (?:get|live|become|be))?|(?:old|long)(?: do)?(?: the)?(?: average)? (?:people|person|folks) (?:get|become|live|live to be|grow)|old people (?:get|become|grow|live to be)|people get old|average (?:life ?span|age (?:at|of) death)|life ?spans?"
     r"|(?:average |mean )?life expectanc(?:y|ies)(?: at birth)?|expected (?:life ?span|lifetime)|longevity|people (?:live|live to be|expected to live)|live|years people live|lives|long-lived|expect(?:ed)? to live"
     r"|people (?:can )?expect to live|long people live|age people (?:live to|die)", "life expectancy"),
    (r"(?:(?:long(?:er)?|old)(?: do)? )?(?:women|females) (?:live|live long(?:er)?|living|get|become|expect to live|live to be)|(?:old|long)(?: do)? (?:women|females)|(?:life expectanc(?:y|ies)) (?:of|for|among) (?:women|females)|(?:female|women's|womens) life expectanc(?:y|ies)"
     r"|average age (?:that )?women live to|long women live", "female life expectancy"),
    (r"(?:(?:long(?:er)?|old)(?: do)? )?(?:men|males) (?:live|live long(?:er)?|living|get|become|expect to live|live to be)|(?:old|long)(?: do)? (?:men|males)|(?:life expectanc(?:y|ies)) (?:of|for|among) (?:men|males)|(?:male|men's|mens) life expectanc(?:y|ies)|long men live", "male life expectancy"),
    (r"(?:children|kids|babies|births)(?: does| do)?(?: an?| the| each| every)?(?: average| typical)?(?: women| woman| mother)?(?: have| bear| give birth to| get)?(?: on average)?|(?:children|kids|babies|births) (?:born )?per (?:woman|mother|family|couple)"
     r"|(?:average )?(?:number of )?(?:children|kids|births|babies)(?: born)?(?: per| women have| to each) ?(?:woman|mother)?|(?:total )?fertility(?: rates?)?|women children|women have (?:the )?(?:most )?(?:children|kids|babies)|children (?:women|woman|the average woman|an average woman|couples|families|people) ?(?:have)?", "fertility rate"),
    (r"(?:people )?(?:jobless|unemployed|out of work|without (?:a )?(?:job|jobs|work)|jobless(?:ness)?(?: rate)?s?|unemployment(?: rate| level| figure)?s?)(?: people)?|people (?:are )?(?:jobless|unemployed|out of work)"
     r"|rate of unemployment|unemployed", "unemployment rate"),
    (r"(?:youth|young people'?s?) (?:unemployment(?: rate)?|joblessness)|unemployment (?:rate )?(?:of|among|for) (?:the )?(?:young people|youth|youths|the young)", "youth unemployment rate"),
    (r"(?:consumer )?(?:price )?inflation(?: rate| level)?s?|(?:fast |much )?(?:consumer )?prices (?:go up|went up|going up|rise|rising|rose|increase[ds]?|increasing|grow(?:ing)?|climb(?:ing)?)|rise in (?:consumer )?prices|price (?:rises|increases)"
     r"|(?:increase|rise) in (?:the )?cost of living|rate of inflation|(?:fast|much|quickly) (?:are |did |do )?(?:consumer )?prices (?:rise|rising|rose|go up|going up|increase|increasing|went up)|cpi inflation|inflation,? consumer prices", "inflation"),
    (r"(?:emits?|emitted|pollutes?|polluted most|polluting)|(?:people )?(?:emit(?:s|ted)?|emitting|producing|produce[sd]?|release[sd]?|put out) (?:the )?(?:much )?co2|co2 (?:people )?(?:is |was |gets )?(?:emit(?:s|ted)?|produce[sd]?|release[sd]?)|(?:much )?co2(?: does| did)?(?: emission| emissions| output| pollution| polluters?| emitted| emitters?| release[sd]?| footprint)*"
     r"|emissions of co2|carbon emissions?|carbon (?:footprint|pollution|output)|carbon|emitters? of co2|polluters?|level of co2 emissions?|levels of co2|co2 levels|amount of co2 emissions", "co2 emissions"),
    (r"(?:emit(?:s|ted)?|produce[sd]?|release[sd]?|emissions of)?\s?(?:green ?house ?gas(?:s?es)?|ghgs?)(?: emissions?| emitters?| emitted| polluters?)*|climate pollution|emissions", "greenhouse gas emissions"),
    (r"(?:land )?(?:is |are )?(?:covered (?:by|in|with) )?(?:forests?|woods|woodland|trees)(?: cover(?:age|ed)?)?|forested|forest(?:ed)?(?: land)?(?: area| cover(?:age)?)?|tree cover(?:age)?|wooded|covered (?:by|in|with) (?:the )?(?:forests?|woods|trees)", "forest area"),
    (r"(?:surface |total |land )?area|(?:large|big|small|vast|size|land size|physically large|land mass|landmass|territory|(?:size|extent) of (?:the )?territory|geographic(?:al)? (?:size|area)|large geographically|geographically)(?: in area| by area| area)?"
     r"|(?:square|sq\.?) (?:kilomet(?:er|re)s|km|miles)(?: of land)?|land|big in (?:area|size)|large in (?:area|size)", "surface area"),
    (r"(?:spend(?:s|ing)?|spent|expenditures?|expense|budget) (?:on |for )?(?:its |their |the )?(?:military|defen[cs]e|army|armed forces|arms|weapons)|(?:military|defen[cs]e|army)(?: spending| expenditures?| budget| spenders?| outlays?| costs?| spend)*|spending on (?:the )?(?:military|defen[cs]e|army|armed forces)",
     "military expenditure"),
    (r"(?:spend(?:s|ing)?|spent|expenditures?|invest(?:s|ed)?) (?:on |in |for )?(?:its |their |the )?(?:education|schools|schooling)|(?:government |public )?education(?:al)?(?: spending| expenditures?| budget| spenders?)+|(?:spending|expenditures?) on (?:education|schools)", "education expenditure"),
    (r"(?:spend(?:s|ing)?|spent|expenditures?) (?:on |for )?(?:its |their |the )?(?:health|health ?care)|(?:health|health ?care|medical)(?: spending| expenditures?| budget| costs| spenders?)+|(?:spending|expenditures?) on health(?: ?care)?", "health expenditure"),
    (r"(?:spend(?:s|ing)?|spent|invest(?:s|ed)?) (?:on |in |for )?(?:its |their |the )?(?:research(?: and development)?|r ?(?:&|and) ?d|science)|(?:r ?(?:&|and) ?d|research(?: and development)?)(?: spending| expenditures?| budget| spenders?)+|spending on (?:research(?: and development)?|r ?(?:&|and) ?d)", "research and development expenditure"),
    (r"(?:does )?exports?(?: of goods(?: and services)?)?(?: value)?|(?:goods )?export(?:s|ed)?|sell abroad|exporters?|exported goods", "exports of goods and services"),
    (r"imports?(?: value)?|(?:goods )?import(?:s|ed)|buy from abroad|importers?|imported goods", "imports of goods and services"),
    (r"(?:people )?(?:use|using|uses|have|with|on|has)(?: access to)? (?:the )?(?:internet|web)(?: access)?|internet(?: users?| usage| use| penetration| access| connectivity)*|(?:people )?(?:are )?online|people (?:use|using|have|with|on) (?:the )?internet|(?:access to|users of|use of) (?:the )?internet|internet users people|has internet|connected to (?:the )?internet|population online", "internet users"),
    (r"(?:people )?(?:have|has|having|with|get)(?: access to)? (?:electricity|electric power)|(?:access|connected) to (?:electricity|power|electric power)|electricity access|electrification(?: rate)?|people with electricity|have power", "access to electricity"),
    (r"(?:people )?(?:can |able to )?read(?: and write)?|literate(?: people)?|literacy(?: rates?| levels?)?|(?:adult )?literacy rates?|(?:can|able to) read", "literacy rate"),
    (r"infant (?:mortality|deaths?)(?: rates?)?|(?:babies|infants|newborns) (?:die|dying|died)(?: in infancy)?|(?:babies|infants) die before (?:their first birthday|age (?:one|1))|(?:rate of )?infant (?:deaths|mortality)", "infant mortality rate"),
    (r"(?:under[- ](?:5|five)|child) (?:mortality|deaths?)(?: rates?)?|(?:children|kids) (?:die|dying|died)(?: before (?:age |the age of |turning |their )?(?:5|five|fifth birthday))?|(?:child|under[- ]five) death rate|mortality (?:rate )?(?:of )?(?:under[- ](?:5|five)|children)", "under-5 mortality rate"),
    (r"maternal (?:mortality|deaths?)(?: rates?| ratios?)?|(?:women|mothers) (?:die|dying|died) (?:in|during|giving) (?:childbirth|birth|pregnancy)|death in childbirth", "maternal mortality ratio"),
    (r"(?:death|mortality) rates?|mortality|people die|(?:crude )?death rate", "death rate"),
    (r"birth ?rates?|natality|births? rate|babies (?:are )?born|births|(?:crude )?birth rate", "birth rate"),
    (r"urban(?:i[sz](?:ed|ation))(?: rate| level| degree)?|(?:people )?(?:live|living|lives?) in (?:cities|urban areas|towns|a city|towns and cities|towns or cities)|(?:urban|city) (?:population|dwellers|people)|people (?:live|living) in (?:cities|urban areas|towns)|urban|population (?:live[sd]? |living )?in (?:cities|urban areas)"
     r"|population (?:that )?(?:lives? |living )?(?:is )?urban|city dwellers", "urban population"),
    (r"(?:people )?(?:live|living|lives?) in (?:the country(?:side)?|rural areas|villages)|rural(?: population| people| dwellers)?|people (?:live|living) in rural areas|population (?:that )?(?:lives? |living )?(?:is |in )?rural(?: areas)?", "rural population"),
    (r"(?:people )?(?:aged? |ages )?(?:65 and (?:older|over|above|up)|65 ?\+|65 or (?:older|over|more)|over (?:the age of )?6[45]|above 65|at least 65|65 years and (?:older|over|above))(?: people| population)?|people (?:who are )?(?:aged? )?(?:65 and (?:older|over|above|up)|65 ?\+|65 or (?:older|over)|over 65|above 65)(?: years(?: old)?)?"
     r"|population (?:aged? |ages )?(?:65 and (?:older|over|above)|65 ?\+|over 65|above 65)|(?:old|elderly|older|senior|aged) (?:people|population|citizens?|persons)|seniors?|elderly|the elderly|pensioners|old population|senior citizens|age 65", "population aged 65 and above"),
    (r"(?:people |population |children )?(?:aged? |ages )?(?:under (?:the age of )?1[45]|0[- ](?:to )?14|below 15|younger than 15|0 to 14)(?: years(?: old)?)?(?: people| population)?|(?:young people|children|kids|young population|youth population)", "population aged 0-14"),
    (r"(?:people )?(?:in |living in |live in )?(?:extreme poverty|absolute poverty)(?: rate)?", "extreme poverty"),
    (r"poverty(?: rates?| levels?| headcount(?: ratio)?| incidence)?|(?:people )?(?:are |is )?(?:in|living in|live in|lives in) poverty|(?:people )?(?:live|living|are|is)? ?(?:below|under) (?:the )?(?:national )?poverty line|poor people|people (?:in|living in|live in) poverty|people (?:living |live )?(?:below|under) the (?:national )?poverty line|(?:population|people) (?:that )?(?:is |are )?poor|rate of poverty", "poverty rate"),
    (r"(?:income |wealth |economic )?inequalit(?:y|ies)|gini(?: (?:index|coefficient|score))?|unequal(?: income)?(?: distribution)?|income (?:disparit(?:y|ies)|distribution gap)|unequal(?:ly)?|income unequally distributed", "gini index"),
    (r"hunger|hungry(?: people)?|undernourish(?:ment|ed)(?: people| population| prevalence)?|malnutrition|people (?:go|going|who go|are)? ?hungry|starv(?:ation|ing)|malnourished(?: people)?|prevalence of undernourishment|undernutrition", "prevalence of undernourishment"),
    (r"diabetes(?: prevalence| rate| incidence)?|diabetics?|people (?:with|have|having|who have) diabetes|(?:have|with|has) diabetes|prevalence of diabetes", "diabetes prevalence"),
    (r"(?:hiv|aids|hiv/aids)(?: prevalence| rate)?|people (?:with|have|living with) (?:hiv|aids|hiv/aids)|prevalence of (?:hiv|hiv/aids)", "prevalence of hiv"),
    (r"(?:women|females?) in (?:the )?(?:national )?parliaments?|(?:female|women) (?:mps|parliamentarians|lawmakers|legislators|members of parliament)|(?:parliament|parliamentary) seats (?:are )?(?:held by|of|for) women|seats (?:in (?:national )?parliaments? )?held by women(?: in (?:national )?parliaments?)?|(?:parliament|mps|parliamentary seats|lawmakers|parliamentarians) (?:is|are|that are|who are|made up of)? ?(?:women|female)|(?:parliament )?(?:seats )?(?:women|female)(?: hold)? (?:parliament(?:ary)? )?seats", "women in parliament"),
    (r"(?:foreign|inward) direct investment(?: inflows?| net inflows?)?|fdi(?: inflows?| net inflows?)?|foreign investment(?: received| inflows?)?", "foreign direct investment net inflows"),
    (r"remittances?(?: received| inflows?| receipts?| coming in)*|(?:incoming|inward|personal) remittances(?: received)?|money sent home(?: by migrants)?|remittance inflows?", "remittances received"),
    (r"(?:government|public|national|central government|state|sovereign|indebted|debt|gross|government's)(?: debt| debts|ly)?(?: level| burden)?|indebtedness|debts?|in debt|owe|money (?:does )?owe", "government debt"),
    (r"(?:external|foreign) debt(?: stocks?)?", "external debt"),
    (r"(?:air pollution|polluted(?: air)?|pm ?2\.?5|air quality|dirty air|smog|pollution)(?: \(?pm ?2\.?5\)?)?(?: levels?| exposure| concentrations?)?|polluted|(?:pm ?2\.?5)(?: air pollution)(?: exposure)?", "pm2.5 air pollution"),
    (r"(?:doctors|physicians)(?: are)?(?: there)?(?: for each| for every)?(?: per (?:1,?000|thousand)(?: people| inhabitants)?)?", "physicians per 1,000 people"),
    (r"(?:hospital )?beds(?: per (?:1,?000|thousand)(?: people| inhabitants)?)?|hospital bed(?: density)?", "hospital beds per 1,000 people"),
    (r"(?:mobile|cell|cellular)(?: phones?| subscriptions?| subscribers?| telephones?| phone subscriptions?| phone subscribers?| phone users?| cellular subscriptions?)+|mobile phones?|people (?:have|with) (?:mobile|cell) phones", "mobile cellular subscriptions"),
    (r"(?:official )?exchange rates?(?: of .*)?|(?:yen|lira|rupees?|pesos?|rubles?|francs?|yuan|won|dollars?|pounds?|euros?|rand|naira|shillings?|kron[aeo]r?)(?: are| is)? (?:per|to the|to|for a|for one|against the|worth in) (?:us |american |u\.s\. )?(?:dollar|usd).*", "official exchange rate"),
    (r"renewables?|renewable (?:energy|power)(?: consumption| use| usage| share)?|(?:uses? |using )?(?:the )?renewable energy|(?:energy|power) (?:that )?(?:comes |is |coming )?(?:from )?renewables?(?: sources| energy)?|energy from renewables?(?: sources)?|energy (?:is )?renewable", "renewable energy consumption"),
    (r"renewable electricity(?: output| production| generation)?|electricity (?:that )?(?:comes |is |generated |produced |coming )?(?:from )?renewables?(?: sources| energy)?", "renewable electricity output"),
    (r"(?:electricity|power)(?: consumption| use| usage| used| consumed)+|(?:use|uses|used|using|consume|consumes|consumed|consumption of|usage of) (?:the )?(?:electricity|electric power|power)|(?:kwh|kilowatt[- ]hours?) (?:of )?(?:electricity|power) (?:used|consumed|use|consumption)|electricity (?:people |the average person )?(?:use[sd]?|consume[sd]?)|electricity", "electric power consumption"),
    (r"(?:energy)(?: consumption| use| usage| used| consumed)+|(?:use|uses|used|using|consume|consumes|consumed|consumption of) energy|energy (?:people |the average person )?(?:use[sd]?|consume[sd]?)", "energy use"),
    (r"(?:tourists?|visitors?|tourism)(?: arrivals?| visit(?:ors|s|ed)?| come| came| arrive[sd]?| numbers?)*|(?:international )?(?:tourist|tourism) arrivals|(?:foreign )?tourists (?:visit|visited|come|came|arrive[sd]?|go|went)(?: to)?", "international tourist arrivals"),
    (r"migrants?|immigrants?|immigration|foreign[- ]born(?: people| population)?|migrant (?:stock|population)", "international migrants"),
    (r"refugees?(?: hosted| population| live[sd]?| living| hosts?)*|(?:host(?:s|ed)?|takes? in|took in|hosting) (?:the )?refugees", "refugee population"),
    (r"(?:arable|agricultural|farm) ?land(?: area)?|farmland", "agricultural land"),
    (r"(?:murder|homicide)s?(?: rates?)?|intentional homicides?|rate of (?:murder|homicide)s?|people (?:are |were )?murdered|murdered", "intentional homicides"),
    (r"suicides?(?: rates?| mortality)?|(?:commit(?:ted)?|die by|died by) suicide", "suicide mortality rate"),
    (r"(?:gni|gross national income)(?: figure)?s?|national income", "gni"),
    (r"(?:gni|gross national income|income|national income) per (?:capita|head|person)|per capita (?:gni|income)|(?:the )?(?:average |typical )?(?:person|worker)s? (?:earns?|makes?)|(?:average|mean) incomes?|people earn|earn|average (?:person|people) earns?|money people (?:make|earn)", "gni per capita"),
    (r"(?:clean |safe |drinking )+water(?: access)?|water access|(?:access to|have|has|with|get|drink)(?: access to)? (?:at least basic )?(?:clean |safe |basic |improved )?(?:drinking )?water(?: services| sources?)?|people (?:have|with|using)(?: access to)? (?:clean|safe|basic) (?:drinking )?water", "access to drinking water"),
    (r"(?:access to )?(?:basic |improved )?sanitation(?: access| services| facilities)?|(?:people )?(?:have|has|with)(?: access to)? (?:basic |improved )?(?:sanitation|toilets)|toilets", "access to sanitation"),
    (r"(?:obese|obesity|overweight)(?: people| adults| population| rates?| prevalence)?|(?:people|adults) (?:are |who are )?(?:obese|overweight)", "obesity prevalence"),
    (r"(?:smok(?:e|es|ers?|ing)|tobacco use)(?: people| adults| rates?| prevalence)?|(?:people|adults) (?:who )?smoke", "prevalence of tobacco use"),
    (r"alcohol(?: consumption| consumed| use| intake)?|(?:drink|drinks|consume[sd]?|drinking) (?:the )?alcohol|(?:drink|drinking)", "alcohol consumption"),
    (r"(?:age )?median age|average age|old (?:the )?population", "median age"),
    (r"(?:tuberculosis|tb)(?: incidence| rates?| cases)?|incidence of (?:tuberculosis|tb)", "tuberculosis incidence"),
    (r"(?:malaria)(?: incidence| rates?| cases)?|incidence of malaria", "malaria incidence"),
    (r"(?:measles)(?: immuni[sz]ation| vaccination)(?: rate| coverage)?s?|(?:children |kids )?(?:immuni[sz]ed|vaccinated) (?:against|for) measles|measles vaccine(?: coverage)?", "measles immunization"),
    (r"(?:child(?:hood|ren)? )?(?:immuni[sz]ation|vaccination)s?(?: rates?| coverage)?|vaccinated (?:children|kids)|(?:children|kids) vaccinated|rates of (?:child(?:hood)? )?(?:immuni[sz]ation|vaccination)", "immunization coverage"),
    (r"(?:labou?r force participation|labou?r participation|workforce participation)(?: rates?)?", "labor force participation rate"),
    (r"(?:female|women'?s?|women in the) (?:labou?r force participation|labou?r participation|workforce participation|labou?r force|workforce)(?: rates?)?|women (?:who )?(?:work|working|in (?:the )?(?:labou?r force|workforce))|(?:labou?r force|workforce) participation (?:rate )?(?:of|for|among) women", "female labor force participation rate"),
    (r"(?:labou?r force|workforce|workers)(?: size| total)?", "labor force"),
    (r"(?:women|females?|girls?|female population|female people|women population|women live)(?: are there| live)?|population (?:that is |of |which is )?(?:female|women)", "female population"),
    (r"(?:men|males?|male population|male people|men live)(?: are there| live)?|population (?:that is |of |which is )?(?:male|men)", "male population"),
    (r"(?:total |annual |net )?(?:revenues?|sales|turnover)", "revenue"),
    (r"(?:total |annual )?(?:net )?(?:profits?|earnings|income after tax)|net income", "net income"),
    (r"(?:total )?assets", "total assets"),
    (r"market (?:cap|capitali[sz]ation|value)", "market capitalization"),
    (r"(?:number of )?employees|staff|headcount", "number of employees"),
    (r"operating (?:income|profit)", "operating income"),
    (r"net migration", "net migration"),
    (r"incomes?", "income per capita"),
    (r"trade(?: volume)?", "trade"),
    (r"(?:current account)(?: balance| surplus| deficit)?", "current account balance"),
    (r"trade (?:balance|surplus|deficit)|balance of trade", "trade balance"),
    (r"tax(?:es)?(?: revenues?)?(?: collected| collection)?|collect in taxes", "tax revenue"),
    (r"(?:gross )?savings(?: rate)?", "gross savings"),
    (r"(?:real |lending |base )?interest rates?", "interest rate"),
    (r"agriculture'?s? (?:value added|output|contribution(?: to gdp)?)|value added (?:by|of|in) agriculture|farming output", "agriculture value added"),
)  # fmt: skip

# Rewrites inside a phrase that no whole form caught.
INSIDE: tuple[tuple[str, str], ...] = (
    (r"\b(?:per|a|for each|for every|by) (?:head|person|inhabitant|citizen|resident|individual)\b|\bper[- ]capita\b|\bp\.?c\.?$|\beach person\b|\bthe average person\b(?! live| earn| make)", "per capita"),
    (r"\bas (?:a )?(?:share|percentage|percent|proportion|fraction|part|%) of (?:the |its |their |total )*", "% of "),
    (r"\bin (?:percent|% |relation) of (?:the |its |their )?", "% of "),
    (r"\brelative to (?:the |its |their )?gdp\b|\bto gdp ratio\b|\bto[- ]gdp\b|\bin percent of gdp\b|\bpercentage of gdp\b", "% of gdp"),
    (r"\bmilitary (?:spending|spenders?|budget|outlays)\b|\bdefen[cs]e (?:spending|spenders?|budget|expenditures?)\b|\b(?:spend(?:s|ing)?|spent) on (?:its |their |the )?(?:military|defen[cs]e|army|armed forces)\b", "military expenditure"),
    (r"\b(?:spend(?:s|ing)?|spent) on (?:its |their |the )?(?:health ?care|health)\b|\bhealth ?care (?:spending|expenditures?)\b|\bhealth (?:spending|spenders?)\b", "health expenditure"),
    (r"\b(?:spend(?:s|ing)?|spent) on (?:its |their |the )?(?:education|schools|schooling)\b|\beducation (?:spending|spenders?)\b", "education expenditure"),
    (r"\b(?:spend(?:s|ing)?|spent) on (?:its |their |the )?(?:research and development|research|r ?(?:&|and) ?d)\b|\b(?:research and development|research|r ?(?:&|and) ?d) (?:spending|spenders?)\b", "research and development expenditure"),
    (r"\b(?:spend(?:s|ing)?|spent) on\b", "expenditure on"),
    (r"\b(emit(?:s|ted)?|produce[sd]?) co2\b|\bco2 (?:emitters?|emitted|polluters?)\b", "co2 emissions"),
    (r"\bgreen ?house gas(?:s?es)?\b(?! emissions)(?: emitters?| emitted| polluters?)?", "greenhouse gas emissions"),
    (r"\bgreen ?house gas(?:s?es)? emissions\b", "greenhouse gas emissions"),
    (r"\belectricity (?:use[sd]?|usage|consumed)\b|\b(?:use[sd]?|consumes?|consumed) electricity\b", "electric power consumption"),
    (r"\benergy (?:use[sd]?|usage|consumed)\b|\b(?:use[sd]?|consumes?|consumed) energy\b", "energy use"),
    (r"\b(\w+) (producers?|produced|produces)\b", r"\1 production"),
    (r"\b(\w+) (exporters?|exported)\b", r"\1 exports"),
    (r"\b(\w+) (importers?|imported)\b", r"\1 imports"),
    (r"\b(\w+) (consumers?|consumed)\b", r"\1 consumption"),
    (r"\b(\w+) (emitters?|emitted|polluters?)\b", r"\1 emissions"),
    (r"^(?:produces?|produced|producing|grows|grow) (?:the )?(\w+)$", r"\1 production"),
    (r"^(?:exports?|exported|exporting) (?:the )?(\w+)$", r"\1 exports"),
    (r"^(?:imports?|imported|importing) (?:the )?(\w+)$", r"\1 imports"),
    (r"^(?:consumes?|consumed|consuming) (?:the )?(\w+)$", r"\1 consumption"),
    (r"^(?:emits?|emitted|emitting) (?:the )?(\w+)$", r"\1 emissions"),
)  # fmt: skip

# After "share of", "percentage of", "how much of": what the share is of and what it is.
SHARED: tuple[tuple[str, str], ...] = (
    (r"(?:the )?(?:population|people|households|citizens|inhabitants)?\s?(?:that |who )?(?:has|have|had|with|get|gets)?\s?(?:access to )?(?:electricity|power|electric power)", "access to electricity"),
    (r"(?:the )?(?:population|people|households|citizens|inhabitants)?\s?(?:that |who )?(?:has|have|had|with|get|gets)?\s?(?:access to )?(?:the )?internet(?: access)?", "internet users"),
    (r"(?:the )?(?:population|people|households|citizens|inhabitants)?\s?(?:that |who )?(?:has|have|had|with|get|gets)?\s?(?:access to )?(?:clean |safe |basic )*(?:drinking )?water", "access to drinking water"),
    (r"(?:the )?(?:total |whole |entire )?(?:land|land area|territory|country|area|surface|it)? ?(?:is |are |was )?(?:covered (?:by|in|with) )?(?:forests?|woods|woodland|trees|forested)(?: land)?|forest cover(?:age)?|forest area", "forest area (% of land area)"),
    (r"(?:the )?(?:total |whole |entire )?(?:land|land area|territory|country|area|surface)? ?(?:is |are |was )?(?:used for |devoted to |covered (?:by|in|with) )?(?:agricultural(?: land)?|farmland|farming|agriculture)", "agricultural land (% of land area)"),
    (r"(?:the )?(?:total |whole |entire )?(?:land|land area|territory|area)? ?(?:is |are |was )?arable(?: land)?", "arable land (% of land area)"),
)  # fmt: skip

ADJECTIVES: dict[str, tuple[str, bool]] = {
    # A comparative or superlative and the quantity it orders by; False turns the direction round.
    "rich": ("gdp per capita", True),
    "wealthy": ("gdp per capita", True),
    "prosperous": ("gdp per capita", True),
    "affluent": ("gdp per capita", True),
    "poor": ("gdp per capita", False),
    "impoverished": ("gdp per capita", False),
    "populous": ("population", True),
    "populated": ("population", True),
    "peopled": ("population", True),
    "crowded": ("population density", True),
    "dense": ("population density", True),
    "densely populated": ("population density", True),
    "densely-populated": ("population density", True),
    "sparsely populated": ("population density", False),
    "sparsely-populated": ("population density", False),
    "thinly populated": ("population density", False),
    "sparse": ("population density", False),
    "forested": ("forest area (% of land area)", True),
    "wooded": ("forest area (% of land area)", True),
    "urban": ("urban population (% of total population)", True),
    "urbanised": ("urban population (% of total population)", True),
    "urbanized": ("urban population (% of total population)", True),
    "rural": ("rural population (% of total population)", True),
    "unequal": ("gini index", True),
    "equal": ("gini index", False),
    "polluted": ("pm2.5 air pollution", True),
    "polluting": ("co2 emissions", True),
    "indebted": ("government debt (% of gdp)", True),
    "literate": ("literacy rate", True),
    "illiterate": ("literacy rate", False),
    "educated": ("educational attainment", True),
    "fertile": ("fertility rate", True),
    "corrupt": ("control of corruption", False),
    "electrified": ("access to electricity", True),
    "connected": ("internet users", True),
    "obese": ("obesity prevalence", True),
    "fat": ("obesity prevalence", True),
    "long-lived": ("life expectancy", True),
    "visited": ("international tourist arrivals", True),
    "dangerous": ("intentional homicides", True),
    "violent": ("intentional homicides", True),
    "safe": ("intentional homicides", False),
    "militarized": ("military expenditure (% of gdp)", True),
}

# Words that say which end is bad: "worst" turns to the high end of these and to the low end of all others.
BURDENS = re.compile(
    r"pollution|pm2|mortality|death|unemploy|inflation|poverty|crime|homicide|murder|suicide|emission|debt|hunger|undernourish"
    r"|malnutri|disease|incidence|prevalence|obesity|inequality|gini|corruption|smok|tobacco|hiv|malaria|tuberculosis|diabetes"
    r"|deforestation|illitera|drop-?out|deficit|stunting|wasting|anemia|slum|jobless|famine|burglar|theft|larceny|asthma|traffic|homeless"
)
KNOWN: frozenset[str] = frozenset(replacement for _, replacement in WHOLE)
ASPECTS = re.compile(
    r"(?:the )?(?:overall |general |current |state of (?:the )?|situation of (?:the )?|condition of (?:the )?)*(?P<aspect>econom(?:y|ic situation|ic conditions?|ics|ically)|life|econom(?:y|ic) (?:and|&) \w+|health|public health|health ?care|health system|environment"
    r"|environmental (?:situation|conditions?)|climate|climate change|education|education system|schooling|schools|agriculture|farming|energy|trade|foreign trade|demograph(?:y|ics?)|people|population and society|society"
    r"|infrastructure|tourism|public finances?|finances?|development|human development|gender(?: equality)?|women|technology|science|industry|labou?r market|job market|jobs|employment situation"
    r"|living conditions|quality of life|well-?being|health and well-?being|sustainability|social conditions|financial sector|nature|biodiversity|sanitation|transport(?:ation)?|business|government|governance|security|culture|geography|statistics|"
    r"basic facts|key facts|facts|key figures|figures|indicators|key indicators|profile|country profile|overview|situation|progress|wealth and poverty|maternal health|child health|mental health|agricultural output|impacts? of climate change|economic development|economic power|womens economic power)"
    r"(?: sector| situation| conditions?| system| in general| overall| these days| like| look(?:s|ing)? like| doing| faring| going| profile| overview| performing| performance| health| statistics| data| indicators| figures| stats)*"
)
