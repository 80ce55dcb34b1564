import type { Document, YAMLMap } from 'yaml';

/** Settings by their dotted path in a YAML file; null removes one. */
export type YamlEdits = ReadonlyMap<string, string | null>;

/**
 * The text of a settings file with some settings changed. Comments and everything else stay; a group that becomes empty
 * is removed.
 *
 * @throws Error if the text is not valid YAML, or if a setting is in a place that can't be changed, such as an alias.
 */
export async function editYaml(text: string, edits: YamlEdits): Promise<string> {
  const { parseDocument } = await import('yaml');
  const document = parseDocument(text);
  const [broken] = document.errors;
  if (broken) throw broken;
  for (const [dotted, value] of edits) {
    const path = dotted.split('.');
    if (value === null) remove(document, path);
    else document.setIn(path, value);
  }
  if (document.contents !== null || document.commentBefore || document.comment)
    return document.toString({ lineWidth: 0, flowCollectionPadding: false });
  return '';
}

/** Removes a value, and groups that become empty. */
function remove(document: Document, path: readonly string[]): void {
  if (!document.hasIn(path)) return;
  document.deleteIn(path);
  const around = path.slice(0, -1);
  const group = around.length === 0 ? document.contents : document.getIn(around);
  if ((group as Partial<YAMLMap> | null)?.items?.length !== 0) return;
  if (around.length === 0) document.contents = null;
  else remove(document, around);
}
