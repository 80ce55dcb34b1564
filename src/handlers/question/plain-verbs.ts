const source = '(?:`[^`\\n]+`|"[^"\\n]+\\.\\w+"|[^\\s,;]+\\.\\w+)';
const filtering = new RegExp(
  `^\\s*(?:please\\s+)?(?:filter|narrow|restrict)(?:\\s+down)?\\s+(?:(?:the\\s+)?(?:rows|lines|entries|records)\\s+(?:of|in|from)\\s+)?(${source})\\s+(?:(?:to|by|for|on|down to)\\s+)?(?:(?:only\\s+)?(?:the\\s+)?(?:rows|lines|entries|records|ones)\\s+)?(?:(where|with|that|whose|which)\\s+)?(?=\\S)`,
  'i',
);
const bareCount =
  /(\bgroup\b[^;\n]{0,200}?\bby\b[^.;,\n]{0,80}?(?:,|,? and)(?: then)?\s+count)(?:\s+(?:them|it|each|each group))?(?=\s*(?:$|[.;,]))/i;
/** `group a.csv by …`: rows; `group the orders by …` says itself what is counted. */
const groupedFile = new RegExp(`group\\s+(?:${source}\\s+)?by`, 'i');

/** `group …, then sum …` is one question, like `group … and sum …`. */
const laterFigure =
  /(\bgroup\b[^;\n]{0,200}?\bby\b[^.;,\n]{0,80}?)\s*[,;]?\s+(?:and\s+)?then\s+(?=(?:sum|total|average|count|compute|calculate)\b)/i;
const figure =
  /\b(?:group|sum|total|average|mean|median|count|compute|calculate|per|minimum|maximum|highest|lowest|largest|smallest|top)\b/i;
const joint =
  /\s*(?:,|;)?\s+(?:and\s+)?(?:then\s+)?(?=(?:group|sum|average|count|compute|calculate)\b)/i;

/**
 * An instruction in the words that the parser knows: `filter a.csv to rows where …` asks for the rows, or for figures of
 * those rows; what is grouped and counted without a noun are rows.
 */
export function plainVerbs(text: string): string {
  const filtered = text.replace(filtering, (all, file: string, word?: string) => {
    const rest = text.slice(all.length);
    return `${figure.test(rest) ? 'From' : 'Show'} the rows of ${file} ${word?.toLowerCase() ?? 'with'} `;
  });
  const joined =
    filtered === text || !figure.test(filtered) ? filtered : filtered.replace(joint, ', ');
  return joined.replace(laterFigure, '$1 and ').replace(bareCount, (all, grouped: string) => {
    const names = groupedFile.test(grouped);
    return names
      ? `${grouped} the rows`
      : all.replace(/,?(?: and)?(?: then)? count(?: \w+)*$/i, '');
  });
}
