import { escapeText, replaceUnseen } from '../../contract/text/escape-text.ts';
import { type Finding, fault } from '../finding.ts';

/**
 * Finds characters that a person can't see and a model reads: control, bidirectional, joining and tag characters, lone
 * surrogates. Tabs, the end of a line in the form of Windows and the variation selector of an emoji are allowed.
 */
export function lintCharacters(line: string, where: string): Finding[] {
  const unseen = new Set<string>();
  const collect = (character: string): string => {
    unseen.add(escapeText(character));
    return '';
  };
  replaceUnseen(line.replace(EMOJI_STYLE, '').replace(/\r$/, ''), collect, true);
  if (unseen.size === 0) return [];
  const shown = [...unseen].slice(0, MAX_SHOWN).join(', ');
  const problem = `it contains invisible characters (${shown})`;
  const fix = "Remove them: models read what people can't see.";
  return [fault('overlay.invisible', where, problem, fix)];
}

const MAX_SHOWN = 5;
const EMOJI_STYLE = /(?<=\p{Extended_Pictographic})\ufe0f/gu;
