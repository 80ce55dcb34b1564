import { sha256 } from '../../platform/text/canonical-hash.ts';

const MAX_LENGTH = 48;

/**
 * A readable id: the name in lower-case Latin words. If a part of the name can't be transliterated, a short hash of the
 * name is added to the rest, or to `otherwise`, so that different names get different ids.
 *
 * @param otherwise Used if no part of the name is readable: lower-case words joined by hyphens. Default: `capsule`.
 */
export function toCapsuleId(name: string, otherwise = 'capsule'): string {
  const written = toLatin(name);
  const words = written.match(/[a-z0-9]+/g) ?? [];
  const isSpeaking = !/[^\p{Script=Latin}\p{Script=Common}]/u.test(written) && words.length > 0;
  if (isSpeaking) return startingWithLetter(cut(words));
  const rest = cut(words.filter((word) => word.length >= 3));
  const hash = sha256(name.normalize('NFC')).slice(0, 8);
  return `${startingWithLetter(rest || otherwise)}-${hash}`;
}

const cut = (words: readonly string[]): string =>
  words.join('-').slice(0, MAX_LENGTH).replace(/-+$/, '');

const startingWithLetter = (id: string): string => (/^[a-z]/.test(id) ? id : `capsule-${id}`);

/** `id`, or `id` with the first free number after it. */
export function firstFree(id: string, isTaken: (id: string) => boolean): string {
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? id : `${id}-${number}`;
    if (!isTaken(candidate)) return candidate;
  }
}

/** Reserved ids: the coordinator's own calls, and the folder of skills. */
const reserved = new Set(['coordinator', 'skills']);

export const isReservedId = (id: string): boolean => reserved.has(id);

/** Cyrillic and Greek letters in Latin script, as in passports, and Latin letters that are not an accented letter. */
const european = {
  ...{ а: 'a', б: 'b', в: 'v', г: 'g', ґ: 'g', д: 'd', е: 'e', є: 'ie', ж: 'zh', з: 'z' },
  ...{ и: 'i', і: 'i', к: 'k', л: 'l', м: 'm', н: 'n', о: 'o', п: 'p', р: 'r', с: 's' },
  ...{ т: 't', у: 'u', ф: 'f', х: 'kh', ц: 'ts', ч: 'ch', ш: 'sh', щ: 'shch', ъ: '', ы: 'y' },
  ...{ ь: '', э: 'e', ю: 'iu', я: 'ia', α: 'a', β: 'v', γ: 'g', δ: 'd', ε: 'e', ζ: 'z' },
  ...{ η: 'i', θ: 'th', ι: 'i', κ: 'k', λ: 'l', μ: 'm', ν: 'n', ξ: 'x', ο: 'o', π: 'p' },
  ...{ ρ: 'r', σ: 's', ς: 's', τ: 't', υ: 'y', φ: 'f', χ: 'ch', ψ: 'ps', ω: 'o' },
  ...{ ß: 'ss', æ: 'ae', ø: 'o', đ: 'd', ł: 'l', ı: 'i', þ: 'th', œ: 'oe' },
};

/** Hebrew and Arabic letters, without vowels that are not written. */
const semitic = {
  ...{ א: 'a', ב: 'b', ג: 'g', ד: 'd', ה: 'h', ו: 'v', ז: 'z', ח: 'h', ט: 't', י: 'y', כ: 'k' },
  ...{ ך: 'k', ל: 'l', מ: 'm', ם: 'm', נ: 'n', ן: 'n', ס: 's', ע: 'a', פ: 'p', ף: 'p', צ: 'ts' },
  ...{ ץ: 'ts', ק: 'k', ר: 'r', ש: 'sh', ת: 't' },
  ...{ ا: 'a', ب: 'b', ت: 't', ث: 'th', ج: 'j', ح: 'h', خ: 'kh', د: 'd', ذ: 'dh', ر: 'r' },
  ...{ ز: 'z', س: 's', ش: 'sh', ص: 's', ض: 'd', ط: 't', ظ: 'z', ع: 'a', غ: 'gh', ف: 'f' },
  ...{ ق: 'q', ك: 'k', ل: 'l', م: 'm', ن: 'n', ه: 'h', و: 'w', ي: 'y', ة: 'a', ى: 'a', ء: '' },
  ...{ پ: 'p', چ: 'ch', ژ: 'zh', ک: 'k', گ: 'g', ی: 'y' },
};

/** Kana by Hepburn, in the order of their code points from U+3041 on. */
const kana =
  `a a i i u u e e o o ka ga ki gi ku gu ke ge ko go sa za shi ji su zu se ze so zo ta da chi ji _ tsu
  zu te de to do na ni nu ne no ha ba pa hi bi pi fu bu pu he be pe ho bo po ma mi mu me mo ya ya yu yu yo yo ra ri ru re
  ro wa wa i e o n`.split(/\s+/);

/** Korean by the Revised Romanisation: beginnings, vowels and ends of syllables in the order of their jamo. */
const hangul: readonly (readonly [first: number, letters: readonly string[]])[] = [
  [0x1100, 'g kk n d tt r m b pp s ss _ j jj ch k t p h'.split(' ')],
  [0x1161, 'a ae ya yae eo e yeo ye o wa wae oe yo u wo we wi yu eu ui i'.split(' ')],
  [0x11a8, 'k k k n n n t l k m l l l p l m p p t t ng t t k t p t'.split(' ')],
];

const latin = new Map<string, string>([
  ...Object.entries(european),
  ...Object.entries(semitic),
  ...kana.flatMap((letters, i) =>
    [0x3041, 0x30a1].map((first) => [String.fromCodePoint(first + i), silent(letters)] as const),
  ),
  ...hangul.flatMap(([first, all]) =>
    all.map((letters, i) => [String.fromCodePoint(first + i), silent(letters)] as const),
  ),
  ['ー', ''],
]);

function silent(letters: string): string {
  return letters === '_' ? '' : letters;
}

/** A text in lower case and transliterated to Latin letters. Letters without an entry are kept. */
const toLatin = (text: string): string =>
  [...text.normalize('NFKC').toLowerCase()].map(letterToLatin).join('');

function letterToLatin(letter: string): string {
  const known = latin.get(letter);
  if (known !== undefined) return known;
  const plain = letter.normalize('NFKD').replace(/\p{M}/gu, '');
  return [...plain].map((one) => latin.get(one) ?? one).join('');
}
