import type { HandlerContext, Outcome } from '../context.ts';
import type { TaskError } from '../task-error.ts';
import { tokenize } from './lexer.ts';
import { plural, singular } from './words.ts';

/** A task with its misspelled words corrected. */
export interface Corrected {
  readonly task: string;
  /** A sentence that names the corrections. */
  readonly note: string;
}

/**
 * Corrects words that differ by one letter from exactly one word of the vocabulary: `bookngs`, `wich`. Names, literals
 * and known words are not changed. Returns undefined if there is nothing to correct.
 *
 * @param meant The vocabulary.
 * @param known Other words that are not corrected, such as parts of values.
 */
export function correctSpelling(
  task: string,
  meant: Iterable<string>,
  known: ReadonlySet<string> = new Set(),
): Corrected | undefined {
  const forms = new Set(
    [...meant].flatMap((word) =>
      /(?:ed|[^s]s)$|^.{1,3}$/.test(word) ? [word] : [word, plural(word)],
    ),
  );
  const isKnown = (word: string) => [forms, known, lookAlikes].some((words) => words.has(word));
  const found = tokenize(task).flatMap((token) => {
    const { kind, norm, stem, start } = token;
    const isName = start > 0 && token.text !== norm;
    const isWord = kind === 'word' && /^[a-z]{4,}$/.test(norm) && !isName;
    if (!isWord || isKnown(norm) || isKnown(stem)) return [];
    const near = [...forms].filter((form) => isMisspelled(norm, form));
    const isOne = new Set(near.map(singular)).size === 1;
    const form = near.find(({ length }) => length === norm.length) ?? near[0];
    return isOne && form !== undefined ? [{ token, form }] : [];
  });
  if (found.length === 0) return undefined;
  const said = found.map(({ token, form }) => `"${token.text}" as "${form}"`);
  const corrected = found.reduceRight(
    (text, { token, form }) => `${text.slice(0, token.start)}${form}${text.slice(token.end)}`,
    task,
  );
  return { task: corrected, note: `Read ${said.join(' and ')}.` };
}

/** Error codes of tasks that were not understood, so that nothing was done. */
const notRead: ReadonlySet<string> = new Set(
  'NOT_UNDERSTOOD NOT_FOUND NOT_FOR_ME NEEDS_MODEL AMBIGUOUS NOT_SUPPORTED'.split(' '),
);

/** Performs a task with its spelling corrected, and adds a note. Undefined without corrections, or if it fails too. */
export async function performCorrected(
  context: HandlerContext,
  spelled: Corrected | undefined,
  perform: (context: HandlerContext) => Promise<Outcome>,
): Promise<Outcome | undefined> {
  if (spelled === undefined) return undefined;
  const found = await perform({ ...context, task: spelled.task }).catch((error: TaskError) => {
    if (notRead.has(error.code)) return undefined;
    throw error;
  });
  return found && { ...found, text: `${spelled.note}\n\n${found.text}` };
}

/** The words of a pattern, without its slots. */
export const wordsOfPattern = (pattern: string): readonly string[] =>
  pattern
    .replace(/\w+:(?=[([])|\{[^}]*\}/g, '')
    .split(/[\s()[\]|]+/)
    .flatMap((text) => (text.endsWith('?') ? [text.slice(0, -2), text.slice(0, -1)] : [text]));

/** Words that differ by one letter from another common word. They are never corrected. */
const lookAlikes: ReadonlySet<string> = new Set(
  'brookings|cloned|foals|minuets|shopped|slipped|trims|warms|abort|accent|accept|action|adapted|addiction|addition|adds|adopted|advice|advise|after|aimed|alike|alive|alone|along|alter|among|amongst|analysis|analyst|angel|angle|appealing|appeals|appears|area|arena|armed|arrives|assess|assets|assume|assumed|assure|assured|attached|attacked|auction|awake|aware|back|backing|baked|balls|band|bank|banking|bars|bases|basic|basin|basis|bass|bates|baths|battle|beach|beak|beans|beard|bearing|bears|beast|beat|beating|became|become|beers|bees|began|begin|begun|being|bells|below|belts|bench|berth|best|bets|better|biased|bills|birch|bites|bitter|black|blade|blame|bland|blank|blast|bleak|bleeding|blink|block|blow|blown|board|boats|boeing|bond|bones|bonus|books|booming|boost|boot|booth|boring|borrowers|both|bother|bots|bottle|bought|bound|boxes|boxing|brand|brass|breach|bread|break|breast|breath|breed|breeding|bride|bridge|bring|broad|brody|brokers|brook|broth|brother|brought|brown|brush|bucks|build|built|bulls|bunch|buried|burned|burns|buses|bush|butter|cafes|cages|cakes|calls|camels|camps|campus|cams|caps|card|cared|cares|cars|case|cash|cast|casting|castle|cattle|cause|caves|cease|cells|centers|centres|chance|change|changed|changing|chapter|charge|charged|chargers|charging|charm|charming|chart|charter|chase|chat|cheap|cheat|cheated|cheating|check|chef|chest|chick|chief|chili|chills|choke|choose|chords|chorus|chose|chuck|clans|clash|clashes|claus|clauses|claws|click|clock|close|closed|closer|closest|closet|coach|coast|coat|coating|codes|cold|colors|colts|comes|comet|commute|commuter|compete|competing|complain|complaint|complete|completing|computing|concept|concern|concert|cones|consent|cont|contact|containers|contend|content|contest|context|contract|contrast|convent|convert|cooker|cooking|cooling|copper|cops|cords|corps|cost|couch|could|count|counties|countries|country|county|course|court|covert|crash|crate|crease|creating|crops|cross|crush|cure|curse|curve|daily|dairy|dared|daring|dawn|deal|dealer|dealt|death|debt|debut|decade|decide|defeat|defend|defending|depend|depending|depth|derive|desks|detect|diary|discs|dive|divide|divine|doing|doses|dove|drain|drawn|drink|drive|drivers|drone|drove|drown|drunk|dying|earrings|ears|easier|easter|eight|eighth|eighty|employees|employers|eternal|even|event|excerpt|exist|exit|expansive|expect|expensive|expert|export|extend|extensive|extent|external|faces|faction|facts|failed|failing|fails|fairly|fairy|falling|falls|fame|farmer|farming|farms|faster|fats|feast|feeding|feeling|feels|fees|feet|fellow|fever|fewer|field|fifth|fifty|fight|filed|files|filing|filled|filler|filling|fills|filmed|filming|films|filth|finding|finds|fined|fines|fins|fired|fires|firing|firms|fist|fixed|fixes|fixing|flame|flash|fled|fleet|flesh|flies|flight|flood|flour|follow|fond|food|forced|forcing|forget|forgot|forks|form|formal|format|formed|former|forming|fort|forth|forty|forum|foster|found|founded|fourth|frame|fresh|friction|fried|friend|frogs|fuels|fund|funded|funding|gain|gamers|garage|garbage|gases|gates|gave|gene|generic|genetic|genre|gentleman|gentlemen|giant|gifs|glass|gods|goods|grace|grade|grain|grand|grant|grass|grave|green|gross|grows|guess|guest|halls|halves|handed|handled|handles|hanged|hangs|hard|hated|hates|hating|hatred|haven|head|headed|heading|healing|hear|heard|hearing|heart|heat|heated|heating|heaven|height|hell|hello|herbs|heroes|hers|hiding|hires|hiring|hitter|holds|holes|homes|hopes|horse|house|hunger|hunter|hunting|hurting|identify|identity|inner|insiders|intend|intent|inter|intro|invented|invested|join|joint|journalism|journalist|kids|kills|kind|kinda|knots|lakes|lanes|laser|last|lasted|lasting|latent|later|latex|latte|latter|launch|lawyer|layer|laying|leading|leads|lean|leaned|learn|lease|leash|least|leave|leaving|legged|lends|lens|lenses|lesions|lessen|lest|lets|letter|licking|lied|lies|lifted|lifting|lifts|lighting|lightning|liked|likes|lined|liners|lines|linger|linked|links|listed|listens|listing|liter|litter|lived|liver|lives|living|loaded|loading|loads|loans|local|locked|locking|locks|lodged|logs|lonely|looked|looming|loops|loose|looting|lords|lose|loser|losing|loss|losses|lots|loved|lovely|lover|loves|loving|lower|loyal|lucky|lunch|lungs|lying|mains|major|makers|makes|males|malls|manly|march|marching|marked|market|marking|marks|marry|marsh|masses|master|match|mates|math|mating|matter|mayor|meal|mean|meant|meat|medal|medina|mental|messing|metal|miles|mills|minds|mines|mining|mixing|modes|moist|money|monkey|month|morse|moss|moth|mouth|move|movie|naked|named|nation|nearby|nearly|needles|nerds|nobel|nodes|noise|nose|notes|noting|notion|officers|offices|older|order|organisations|organizations|otter|ounce|outrage|overt|owned|pace|paced|packed|packing|pads|pain|paint|painted|painting|pairs|palace|pants|parent|parking|parks|partly|parts|party|pass|passes|pasta|patch|patent|path|patient|pats|paying|pays|peace|persona|pests|petty|phase|phrase|picked|picking|picks|pics|pierce|pilot|pint|pitch|place|placed|placing|plaid|plain|plan|plane|planet|plant|plate|plated|played|player|playing|plays|plot|plugs|plush|point|pointed|pointing|poison|ponds|ports|posts|powder|power|practise|prayed|prayer|precious|present|presented|presenting|pretty|prevent|prevented|preventing|previous|price|pride|prime|prince|print|printed|printing|prison|prize|produce|producers|product|prof|project|proof|properly|property|protect|protest|providers|provides|publishers|publishes|pulses|qualify|quality|quartet|quiet|quit|quite|quote|races|racing|racks|radio|rage|raging|raid|raided|rails|rained|raise|raising|rally|range|ranged|ranging|ranking|rapid|rates|rating|ratio|rats|reach|react|reads|real|really|realm|receivers|reds|referees|regard|regent|reins|rely|remain|remained|remote|remove|renal|repealed|repent|reply|report|reporters|resent|reserves|resolution|resort|rested|retain|retained|retaining|revenge|revenue|revolution|reward|rewarding|ride|riders|ridge|riding|ringing|rise|rising|risks|rites|roads|robot|roles|rolls|rooms|root|roses|rouge|ruins|rules|sacred|safely|safety|sake|sale|salts|same|sample|sand|save|saving|saying|says|scale|scare|scared|scars|scent|scope|score|scored|scream|screaming|seal|sealing|seat|seed|seeing|seeking|seeks|seems|seen|sees|seize|sell|send|sender|sending|sent|sept|series|serves|sets|setting|seven|seventy|shade|shaft|shake|shaking|shale|shall|shame|shape|shaped|share|shared|sharing|shark|sharp|shave|sheen|sheep|sheet|shell|shift|shipping|ships|shirt|shock|shoe|shoot|shooter|shopping|shops|shore|short|shot|shout|shower|shows|shut|sick|side|sight|signing|simple|sing|singing|site|sits|sitting|sixty|sizes|skill|skull|slave|sleep|slept|slide|slight|slit|slows|small|smart|smell|smelling|smoke|snake|sock|sold|sole|solid|solos|solve|songs|sons|sore|sort|space|spare|speed|speeding|spell|spelling|spend|spending|spent|spill|spit|spoke|sport|spot|spring|stack|staff|stage|stairs|stake|stale|stall|stand|star|starch|stare|stared|staring|stark|starring|start|started|starting|startling|starving|state|stated|stating|stats|statue|status|statutes|stayed|staying|stays|steal|stealing|steam|steel|stem|stepped|steps|sterling|stick|still|stock|stoke|stoked|stole|stone|stoned|stony|stopped|stopping|stops|store|stored|storey|stories|storm|stormed|stormy|story|stove|stranger|stray|streak|stream|streaming|strike|string|stroke|strong|stronger|struck|stuck|studies|studios|stuff|style|submit|subscribers|suite|suits|summit|swear|sweat|sweet|swell|swelling|swift|swing|swore|table|tablet|tail|takes|taking|tale|talking|talks|tank|tapes|tasks|taxes|teach|teams|tears|tech|teens|teeth|teller|tempo|tend|tens|tent|terms|tests|texts|than|thank|theme|there|these|thesis|thick|thin|thine|thing|think|thirsty|thorough|those|though|thought|thread|threat|three|threw|throat|through|throw|tides|tied|ties|tiles|timers|times|tips|tired|tires|token|tolls|tons|tools|topic|touch|tough|tourism|tourist|towns|toxic|trace|track|trade|trail|trailer|trailing|trainer|trains|trans|traps|treat|tree|trend|trial|trick|tried|tries|trips|trough|truck|tying|unfit|users|uses|usher|vague|vale|value|valve|varies|verses|vice|viewers|viral|vital|voice|voters|votes|wages|waist|waited|waiting|wakes|walkers|walks|walled|walls|wanted|wanting|wards|warner|wars|washed|washing|wasted|wasting|watch|watchers|watches|watts|waves|wears|weeds|weigh|weight|wells|were|whale|wheat|whenever|where|whereas|wherever|while|white|whole|whose|widow|width|window|winds|wings|winner|wins|winter|wires|witch|with|wits|wives|woman|women|woods|word|wore|works|world|worms|worse|worst|would|wound|write|writers|writing|wrote'.split(
    '|',
  ),
);

/** Endings of word forms: `rented` and `renter` are not misspellings of each other. */
const formEnd = /^[sdrynel]?$/;

/** Whether two words differ by one wrong, missing or extra letter, or by two swapped letters. */
export function isMisspelled(word: string, name: string): boolean {
  const start = sharedStart([...word], [...name]);
  const [own, other] = [[...word].slice(start), [...name].slice(start)];
  const end = sharedStart(own.toReversed(), other.toReversed());
  const [wrong, right] = [own, other].map((rest) => rest.slice(0, rest.length - end).join(''));
  if (start === 0 || wrong === undefined || right === undefined) return false;
  if (wrong.length === 2) return wrong === [...right].toReversed().join('');
  if (wrong.length === 1 && right.length === 1 && !isSlip(wrong, right)) return false;
  const isForm = end === 0 && formEnd.test(wrong) && formEnd.test(right);
  return !isForm && wrong.length < 2 && right.length < 2 && word.length + name.length > 8;
}

const keys = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'];

/** Whether two letters are neighbours on the keyboard, or both vowels. */
function isSlip(a: string, b: string): boolean {
  const [from, to] = [a, b].map((letter) => {
    const row = keys.findIndex((line) => line.includes(letter));
    return { row, at: (keys[row]?.indexOf(letter) ?? 0) + row / 2 };
  });
  const isNear = from && to && Math.abs(from.row - to.row) < 2 && Math.abs(from.at - to.at) < 1.1;
  return isNear === true || /^[aeio]{2}$/.test(a + b);
}

function sharedStart(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((letter, index) => letter !== b[index]);
  return at < 0 ? a.length : at;
}
