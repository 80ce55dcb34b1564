/**
 * A workflow command of GitHub Actions on one line, with its values escaped: `::error title=Step 2::It failed`.
 *
 * @param data Cut to 4,000 characters.
 */
export function workflowCommand(
  name: string,
  data: string,
  properties: Readonly<Record<string, string>> = {},
): string {
  const given = Object.entries(properties)
    .map(([key, value]) => `${key}=${escapeProperty(cut(value, 200))}`)
    .join(',');
  return `::${name}${given === '' ? '' : ` ${given}`}::${escapeData(cut(data, 4_000))}\n`;
}

const cut = (text: string, maxChars: number): string =>
  text.length > maxChars ? `${text.slice(0, maxChars)}…`.toWellFormed() : text;

const escapeData = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const escapeProperty = (text: string): string =>
  escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
