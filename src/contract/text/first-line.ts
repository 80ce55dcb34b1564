/** The first line of a text, with an ellipsis if there are more: a question about several lines must not look like one about the first. */
export function firstLine(text: string): string {
  const [first = '', ...rest] = text.trim().split('\n');
  return rest.length > 0 ? `${first}…` : first;
}
