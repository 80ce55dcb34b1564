import { type Token, tokenize } from './lexer.ts';
import { list, rowsOf } from './lexicon.ts';

/** Words in a lead that may restrict the task or belong to a text, so that the lead must not be dropped. */
export const binding =
  "if|unless|only|except|not|\\w+n['’]t|all|every|each|any|some|most|both|but|when|where|until|while|must|should|first|second|third|last|lines?|rows?|columns?|files?|sections?|chapters?|paragraphs?|sentences?|titles?|head(?:ing|line|er)s?|parts?|top|bottom|beginning|start|end|wrong|incorrect|outdated|misspelled|for|how|what|which|who|than|in|under|to|that|says?|saying|with|want|need|like";

/**
 * Other wordings for what the rules know, with an example above each. They never change literals. The first cell holds
 * texts of which each match contains one: most patterns are never compiled.
 */
const wordings = rowsOf(String.raw`
# who has not paid? It's in members.csv
 in | see | look  => ^((?:[^".:;]|\.(?!\w))*[a-z\d])[.?!]+ (?:(?:it|that|this|he|she|they|the data|everything)(?:['’]s|['’]re| is| are)(?: all)? in|see|look (?:in|at)) (?:the (?:file|table) )?(?=\S+\.(?:csv|tsv|json|db|sqlite|log|md|txt)[.!]?\s*$) => $1 in 
nt => \b(are|is|was|were|do|does|did|has|have|had)nt\b => $1n't
# rename docs/a.md to b.md: the folder stays
rename => \brename (?:the )?(?:file )?((?:[\w.-]+\/)+)([\w.-]+) (to|into|as) (?=[\w-][\w.-]*\.\w+(?:[\s,;.?!]|$)) => rename $1$2 $3 $1
# make a copy of a.csv and call it b.csv
copy|duplicate|back up => \b((?:make|create|take) (?:a |another )?(?:copy|duplicate|backup) of [^;]+?|(?:copy|duplicate|back up) \S+?),? (?:and )?(?:then )?(?:call|name) (?:it|that|the copy) (?=\S+\.\w) => $1 called 
# turn a.tsv into JSON, call it b.json
call|name|saved|written|exported => (?:,| and|, and|,? then|[.;]) (?:(?:call|name) (?:it|them|that|this|the (?:file|result))|(?:saved|written|exported) (?:as|to)) (?=\S+\.\w) =>  and save it as 
pls|plz => \b(?:pls|plz)\b => please
put  => ^(\s*(?:please )?)put (?=(?:the|all|every)\b(?! (?:new )?(?:lines?|rows?|tasks?|items?|entry|texts?|words?)\b)[^"“\x60:]* (?:into|in|to) \S+\.(?:csv|tsv|json)\W*$) => $1save 
# how many hours in May, going by the shifts table
according to|going by|judging by|as per|to go by => ,? ?\b(?:according to|going by|judging by|as per|to go by) (?=(?:the|our|my) [\w-]+ (?:table|file|list|sheet|log|notes)\b|\S+\.\w) =>  in 
 up  => \b(?:add|sum|tot) up (?=\S+\.(?:csv|tsv) |(?:the|all|our|every) (?!(?:notes?|texts?|articles?|pages?|files?|documents?|letters?|mails?|diary)\b)(?![^.]* (?:in|of|from) \S+\.(?:txt|md)\b)) => sum 
up what => \b(?:add|sum|tot) up what (?:we|i) (?=\w) => total 
 out  => \b(?:work|figure) out (?=(?:the|our)\b) => calculate 
 out  => \b(?:work|figure|find) out (?=(?:how|what|which|who)\b) => 
# what does the section "Opening" in handbook.md say?
section|chapter|paragraph => ^(?:what (?:does|do|is in|is written in|stands in)|(?:please )?(?:show|read|print|give)(?: me)?(?: the text of)?) the (?:section|chapter|paragraph) (?:on |about |called )?([^.?]+?) (?:in|of|from) (\S+\.(?:md|txt))(?: say)?(?=[?.! ]*$) => what is under $1 in $2
# combine a.csv and b.tsv: kilograms per field
combine|join|use|take|with|from => ^(?:please )?(?:combine|join|use|take|with|from) (?:the )?(\S+\.\w+) and (\S+\.\w+)\s*: ([^.;:]+?)[.?!]*$ => $3 in $1 and $2
let me|read me => \b(?:let me (?:see|have)|read me)\b => show me
# between 1 and 7 April
between|from => \b(between|from) (\d{1,2})(?:st|nd|rd|th)? (and|to|until) (\d{1,2}(?:st|nd|rd|th)?) ((?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*)\b => $1 $2 $5 $3 $4 $5
# I want a copy of a.csv with the name b.csv
 a copy of  => \bi (?:want|need|would like) a copy of (\S+\.\w+) (?:with the name|by the name of|called|named|as) (?=\S+\.\w) => copy $1 to 
# one-star reviews, Five star photos
star => \b(one|two|three|four|five|[1-5])[- ]star(?= [a-z]) => $1 stars
# convert a.csv to JSON and save it as b.json
convert|turn|transform => \b((?:convert|turn|transform) \S+ (?:in)?to (?:an? )?(?:json|csv|tsv|markdown)(?: table)?)(?: file)?(?:,| and|, and|,? then) (?:save|write|store) (?:it|them|that|this|the result) (?=(?:as|to|in|into) \S+\.\w) => $1 
# create a branch x and switch to it
branch => \b(?:create|make|start) (?:a |the )?(?:new )?(?:git )?branch (?:called |named )?(\S+?),? (?:and|then)(?: then)? (?:switch to|check out|go to|change to) (?:it|that branch|the (?:new )?branch)(?!\w) => switch to a new branch $1
# create a folder x and move the file there
folder|directory => \b(?:create|make) (?:a |the )?(?:new )?(?:folder|directory) (?:called |named )?([\w.-]+?)\/?(?:,? and|,? then|,|;)+ (move|copy|put|save) ((?:(?!\b(?:and|then|there|into|to)\b)(?:[^;,.]|\.(?=\w)))+) (?:there|(?:in|into|to) (?:it|there|the folder|that folder))(?![\w/]) => $2 $3 into the folder $1/
 in  => \b(and|then|,) in ((?:the|that) (?:copy|new file|copied file|file)|it),? ((?:replace|change|delete|remove|add|append|insert)\b[^;]+?)(?=[.;]?\s*$) => $1 $3 in $2
# notes.md: replace "a" with "b" in the whole file
:|,|-|–|— => ^\s*(?:in )?(\S+\.[a-z]\w*)(?:\s*:|\s+[-–—]|,)\s+([^.?!]*?(?:"[^"]*"[^".?!]*?)*)\b(in|of|from|to) (?:the (?:whole |entire )?|this |that )(?:file|list|document|log)\b => $2$3 $1
# notes.md: what is open? plan.md - how many words
:|-|–|— => ^\s*(\S+\.[a-z]\w*)(?:\s*:|\s+[-–—])\s+((?:"[^"]*"|[^".?!]|[.?!](?=\S))+) => $2 in $1
# in notes.md, tick off "Order hoses"
in  => ^\s*in (\S+\.(?:md|txt)), ((?:tick off|check off|cross off|tick|mark|untick) (?:"[^"]*"|[^".?!;])+)[.!]?\s*$ => $2 in $1
# word count of rules.txt
 count  => ^\W*(?:what(?:['’]s| is) the |the )?(line|word|character|letter|paragraph) count (?:of|for|in) (?=\S+\.\w) => how many $1s are in 
# what's still open on the to-do list in notes.md
 list  => ^\s*what(?:['’]s| is)(?: still)? (?:open|left|undone) (?:on|in) (?:the|my|our) (?:to-?do|task)s? list (?:in|of|from) (?=\S+\.md\b) => list the open tasks in 
# which message comes up most often
 up  => \b(?:comes?|turns?|pops?) up (?=(?:the )?(?:most|least) (?:often|frequently)\b) => occurs 
# the links in the mail from the office (mail.txt)
( => \b(in|from|on|to) (?:the|my|our) (\w+)(?: from [\w ]{1,60}?)? \(((?=\S*\2)\S+\.(?:md|txt))\) => $1 $3
( => ^([^"(]{1,300}?)([.?!]{0,3}) \((?:in |see |from )?(\S+\.\w+)\)(?=[.?!]*\s*$) => $1 in $3$2
# how many tasks are done and how many open in plan.md
how many => \bhow many (\w+(?: \w+)?) (are|were) (\w+),? and how many (?:(?:of them |of those )?(?:are|were) )?(?=(\w+) in (\S+\.\w+)) => how many $1 $2 $3 in $5 and how many $1 $2 
search|look through|go through => \b(?:search|look through|go through) (?:in |through )?(all |all the |the )?(files)( here)? for ([^,;.]+?),? and (?:tell|show|list)(?: me)? which (?:ones|files|of them) (?:have|contain|mention) it\b => which $2 contain $4
# …, name and price are enough
enough|sufficient|suffice|will do => [,;:.?!] (?!(?:that|this|it|one|two|three|any|either|both|all)\b)((?:the )?[a-z_]+(?: (?:and|,) (?:the )?[a-z_]+){0,3}) (?:(?:is|are) (?:enough|sufficient)|will (?:do|suffice))\b => , only $1
# break the payments down by method and give me the sum of each
break  => \bbreak (?:down ((?:the |all )?[\w ]+?)|((?:the |all )?[\w ]+?) down) by (?=\w) => group $1$2 by 
of each  =>  of each (?:kind|type|sort)[?.,]* (?:and )?group(?:ed)?(?: them)? by (?=\w) =>  per 
# how many tickets have we sold? (add up the quantity)
how many => \bhow many ([^?."(]{1,80}?)\?? \((?:sum|total|add up|sum up) (?:of )?(?:the )?([a-z_]+)\) => total $2 of $1
# are there unpaid bills? if so, which ones
if  => ([?.!,]) (?:and )?if (?:so|yes|there (?:is|are)(?: any)?|they do),? (?=(?:which|who|whose|what|when|where|tell me|show me|give me)\b) => $1 
# do any two customers have the same email?
two  => \b(do|did|are there) (?:any )?two (?=(?:different )?[a-z]+\b.* (?:the same|share)\b) => $1 any 
# how many rooms are free, and which ones?
which => ^((?:please )?how many ([a-z](?:[^?.;:"]|\.(?=\w))*?))(?:\?| ?,)? (?:and )?(?:also )?which(?: ones?)?(?: (?:is|are|was|were) (?:it|they|that|those))?(?=[?.! ]*$) => $1? Which $2
# every line of a.txt that mentions Ann
 line => ^(?:(?:show|list|print|give|find|get)(?: me)? )?(?:all|every|each|the|any) lines? (?:of|in|from) (\S+\.(?:txt|md|log)) (?:that|which) (?:mentions?|contains?|has|have|includes?) (?=\S+$) => show all lines of $1 that contain 
 new  => \b(?:into|to|in|as) (?:a|one) new (?:(?:csv|json|markdown|text) )?file,? (?:called |named )?(?=\S+\.\w) => as 
# what is Ann Lee's phone number?
’|' => \b(\p{Lu}[\p{L}-]{1,20}(?: (?:de|van|von|der|la|di))* \p{Lu}[\p{L}-]{1,20})(?:['’]s|(?<=s)['’]) (?![a-z ]{0,40}commit)((?:[a-z]{1,20} ){0,2}[a-z]{1,20})(?=[?.! ]*$| (?:in|from) \S+\.\w+[?.! ]*$) => the $2 of $1
# number of orders by bike type (the types are in fleet.csv)
( => (\b(?:by|per|for each|of each) [^?.;()]{1,40}) \((?:the|their|its) [a-z]{1,20} (?:is|are) in [^\s()]+\.(?:csv|tsv|jsonl?)\)(?=[?.! ]*$) => $1
in  => ([^\s()]{1,60}\.(?:csv|tsv|jsonl?)\b[^?.;()]{0,60}?)[?.,;(] ?(?:the|their|its) [a-z]{1,20} (?:is|are) in [^\s()]+\.(?:csv|tsv|jsonl?)\)?(?=[?.! ]*$) => $1
# which routes carried no parcels
 no  => \b(which|what|how many) ([a-z]{1,20}) (?:carried|made|placed|borrowed|took|ran|gave|wrote|held|hosted|rented|got|produced) no (?=[a-z]) => $1 $2 have no 
# what does an L parcel weigh on average?
on average => \b(?:what|how much) (?:does|do|did) ([^?.,]{1,40}?) (weigh|cost|earn) on average\b => average $2 of $1
 cost => \band (?:what|how much) (?:did|does|do) (?:it|they) cost\b => and its cost
came back => ^(?!.*\b(?:share|percent|percentage|proportion|fraction)\b)([^.;\x22]{0,80}?)\bcame back (?=\w+(?: condition)?[?.! ]*$|in [a-z]+[?.! ]*$) => $1were returned 
belong to => ^who(?:m)? (?:does|do|did) (?:the )?(.+?) belong to(?=[?. ]*$) => who owns $1
# the total of each sponsor. I want to see their names
 to see => \bi (?:want|would like|need) to see (?=(?:the|their|its) ) => I need 
# how many errors does kiosk.log contain?
 contain| have| list| hold| include => ^((?:please )?how many (?!columns|fields|tables|sheets|files|folders|lines|words|char|letters|pages|items|elements|objects|things)(?:(?!\bhow many\b)[^?.;:"]){1,60}?) (?:does|do) (?:the (?:file|log) )?([\w./-]+\.\w+) (?:contain|have|list|hold|include)(?=(?: in total)?[?.! ]*$) => $1 are in $2
# what still has to be done in todo.md?
 to => ^what (?:still )?(?:has|needs|is|remains)(?: still)?(?: left)? to (?:be done|do) (?:in|on) (?=\S+\.md\b) => list the open tasks in 
# how many things on the to-do list are finished already?
 on | in  => ^how many (?:things|jobs|items|points|entries) (?:on|in) (?:the|our|my) ((?:to-?do|[a-z]+) list) are (?:already )?(done|finished|completed|open)(?: already)?(?=[?.! ]*$) => how many $2 tasks are on the $1
# … done already, and how many are open?
 on | in  => ^how many (?:things|jobs|items|points|entries) (?:on|in) (?:the|our|my) ((?:to-?do|[a-z]+) list) are (?:already )?(done|finished|completed|open)(?: already)?,? and how many (?:are )?(?:still )?(done|finished|completed|open)(?=[?.! ]*$) => how many $2 tasks are on the $1 and how many $3 tasks are on the $1
# add "Order stamps" as an open item at the end of plan.md
 as a => ^(\s*(?:please )?(?:add|append|put|insert) )("[^"]+") as an? (?:new )?(?:open (?:item|entry)|(?:open )?(?:task|to-?do)) (?=(?:to|in|at|on|into|under) [^"]*\.md\b) => $1the task $2 
 very  => \bat the very (?=(?:end|bottom|top|beginning|start) of ) => at the 
# turn a.json into a spreadsheet file a.csv
turn|convert|transform|make => ^\s*(?:please )?(?:turn|convert|transform|make) (\S+\.(?:csv|tsv|jsonl?)) (?:in)?to (?:an? )?(?:new )?(?:spreadsheet|table)?(?: ?file)?(?: called| named)? ?(?=\S+\.(?:csv|tsv|json)[.! ]*$) => save all rows of $1 as 
# which keeper looks after the most hives
look => \b(?:look|looks|looked) after\b => keeps
# what has not been brought back
 back => \b(been|were|was|get|got) (?:brought|given|handed|sent) back\b => $1 returned
# each piece of equipment
 of  => \b(each|every|per|which) (?:piece|item) of (?=[a-z]) => $1 
# save the members, sorted by name, in members.csv
, in  => ^(\s*(?:please )?(?:save|store|write|export|put) [^".;:]*), in (?=\S+\.(?:csv|tsv|json|md|txt)\W*$) => $1 as 
# append an open task to plan.md: Order straw
: => ^\s*((?:please )?(?:add|append|put|insert|write) (?:an? |the |one |another )?(?:new |open )*(?:line|task|item|todo|to-do|entry|bullet|bullet point|note)) ((?:to|in|into|at|on|under) [^:"]*?\.\w+[^:"]*?)\s*:\s+([^"“.?!;:\n]+?)[.!]?\s*$ => $1 "$3" $2
`).map(([needed = '', said = '', known = '']) => ({ needed: list(needed), said, known }));

const patternOf = (said: string) => new RegExp(said, said.includes('\\p{Lu}') ? 'gu' : 'gi');

/** Whether a match begins or ends inside a literal. */
const isTorn = (part: string) => part.includes('`') || (part.match(/"/g) ?? []).length % 2 > 0;

/** The literals of a task. */
const literalsOf = (task: string) =>
  tokenize(task).filter(({ kind }) => !/^(?:word|number|op|mark)$/.test(kind));

/** Rewords a task into phrases that the rules know. */
export const reworded = (task: string): string =>
  wordings.reduce((text, { needed, said, known }) => {
    const lower = text.toLowerCase();
    if (!needed.some((one) => lower.includes(one))) return text;
    let literals: readonly Token[] | undefined;
    return text.replace(patternOf(said), (whole, ...parts) => {
      const at = parts.findLast((part) => typeof part === 'number') ?? 0;
      literals ??= literalsOf(text);
      const isInside = literals.some(({ start, end }) => start < at && at < end);
      if (isTorn(whole) || isInside) return whole;
      return known.replace(/\$(\d)/g, (_, part) => parts[Number(part) - 1] ?? '');
    });
  }, task);
