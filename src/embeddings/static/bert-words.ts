const isPlainAscii = /^[\t\n\r -~]*$/;

/** The blocks in which BERT treats each character as a word (`tokenize_chinese_chars`). */
const isCjk =
  /[\u3400-\u4DBF\u4E00-\u9FFF\uF900-\uFAFF\u{20000}-\u{2A6DF}\u{2A700}-\u{2CEAF}\u{2F800}-\u{2FA1F}]/u;

/**
 * Splits a text into words like the uncased BERT models: without accents, in lower case, each punctuation mark and each
 * CJK character separate, without control and format characters.
 */
export function splitWords(text: string): string[] {
  if (isPlainAscii.test(text)) return text.toLowerCase().match(/[a-z0-9]+|[!-/:-@[-`{-~]/g) ?? [];
  const isDropped = /[\p{C}\uFFFD]/u;
  const isPunctuation = /[!-/:-@[-`{-~\p{P}]/u;
  const words: string[] = [];
  let word = '';
  const end = () => {
    if (word !== '') words.push(word);
    word = '';
  };
  for (const char of text
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()) {
    if (/\s/u.test(char)) end();
    else if (isDropped.test(char)) continue;
    else if (isPunctuation.test(char) || isCjk.test(char)) {
      end();
      words.push(char);
    } else word += char;
  }
  end();
  return words;
}
