import { createHash } from 'node:crypto';

const MAX_LENGTH = 48;

/** Cyrillic and Greek letters in Latin ones, as passports write them. */
const latin = new Map(
  Object.entries({
    ...{ а: 'a', б: 'b', в: 'v', г: 'g', ґ: 'g', д: 'd', е: 'e', є: 'ie', ж: 'zh', з: 'z' },
    ...{ и: 'i', і: 'i', к: 'k', л: 'l', м: 'm', н: 'n', о: 'o', п: 'p', р: 'r', с: 's' },
    ...{ т: 't', у: 'u', ф: 'f', х: 'kh', ц: 'ts', ч: 'ch', ш: 'sh', щ: 'shch', ъ: '', ы: 'y' },
    ...{ ь: '', э: 'e', ю: 'iu', я: 'ia', α: 'a', β: 'v', γ: 'g', δ: 'd', ε: 'e', ζ: 'z' },
    ...{ η: 'i', θ: 'th', ι: 'i', κ: 'k', λ: 'l', μ: 'm', ν: 'n', ξ: 'x', ο: 'o', π: 'p' },
    ...{ ρ: 'r', σ: 's', ς: 's', τ: 't', υ: 'y', φ: 'f', χ: 'ch', ψ: 'ps', ω: 'o' },
    ...{ ß: 'ss', æ: 'ae', ø: 'o', đ: 'd', ł: 'l', ı: 'i', þ: 'th', œ: 'oe' },
  }),
);

/**
 * An id that speaks: the name in lower-case Latin words. A name in a script that can't be written so gets a short hash of
 * it, so that two such names never become one.
 */
export function toCapsuleId(name: string): string {
  const letters = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const written = [...letters].map((char) => latin.get(char) ?? char).join('');
  const words = written.match(/[a-z0-9]+/g) ?? [];
  const isSpeaking = !/[^\p{Script=Latin}\p{Script=Common}]/u.test(written) && words.length > 0;
  const speaking = words.join('-').slice(0, MAX_LENGTH).replace(/-+$/, '');
  const hash = createHash('sha256').update(name.normalize('NFC')).digest('hex').slice(0, 8);
  const id = isSpeaking ? speaking : `${speaking || 'capsule'}-${hash}`;
  return /^[a-z]/.test(id) ? id : `capsule-${id}`;
}

/** `id`, or with the first number after it that nobody has. */
export function firstFree(id: string, isTaken: (id: string) => boolean): string {
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? id : `${id}-${number}`;
    if (!isTaken(candidate)) return candidate;
  }
}
