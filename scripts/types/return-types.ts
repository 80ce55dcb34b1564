/**
 * Declarations in which the type that a function of theirs returns is written out: what the function takes is internal. What
 * the compiler names by `import('…')` is imported.
 */
export function withReturnTypes(declarations: string): string {
  const written = declarations
    .replace(/\bReturnType<typeof (\w+)>/g, (whole, name: string) =>
      returnTypeOf(name, declarations, whole),
    )
    .replace(/\bAwaited<Promise<(\{[\s\S]*?\n\}(?:\[\])?)>>/g, '$1');
  const imports = [...written.matchAll(BY_IMPORT)].map(
    ([, from, name]) => `import type { ${name} } from '${from}';\n`,
  );
  return `${[...new Set(imports)].join('')}${written.replace(BY_IMPORT, '$2')}`;
}

const BY_IMPORT = /\bimport\(["'](\.[^"']+)["']\)\.(\w+)/g;

/** `otherwise` if the file declares no such function. */
function returnTypeOf(name: string, declarations: string, otherwise: string): string {
  const head = `^(?:export )?declare (?:function ${name}|const ${name}: )\\(`;
  const found = new RegExp(head, 'm').exec(declarations);
  if (!found) return otherwise;
  let at = found.index + found[0].length;
  for (let depth = 1; depth > 0 && at < declarations.length; at += 1) {
    if (declarations[at] === '(') depth += 1;
    if (declarations[at] === ')') depth -= 1;
  }
  return /^(?:: | => )([\s\S]*?);\n(?=[^\s}]|$)/.exec(declarations.slice(at))?.[1] ?? otherwise;
}
