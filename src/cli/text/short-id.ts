const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const ONLY_UUID = new RegExp(`^${UUID}$`);
/** Not a part of a path or of another word. */
const UUID_IN_TEXT = new RegExp(`(?<![\\w/\\\\.-])${UUID}(?![\\w/\\\\-]|\\.\\w)`, 'g');

/** The last 8 characters of the UUID of a run or question, as people see it. Other text is returned as it is. */
export const shortId = (id: string): string => (ONLY_UUID.test(id) ? id.slice(-8) : id);

/** A text for people with its UUIDs shortened. Paths keep theirs. */
export const withShortIds = (text: string): string =>
  text.replace(UUID_IN_TEXT, (id) => id.slice(-8));
