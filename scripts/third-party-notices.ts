import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';

const header = `Third-party software in these files

The bundles in this folder contain code of the packages below, each under its own license.
`;

/** The innermost package folder of a path inside node_modules. */
const packageOf = (path: string): string | undefined =>
  /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0];

function noticeOf(root: string, folder: string): string {
  const { name, version, license } = JSON.parse(
    readFileSync(join(root, folder, 'package.json'), 'utf8'),
  );
  const file = readdirSync(join(root, folder)).find((entry) =>
    /^(licen[cs]e|copying)/i.test(entry),
  );
  const text =
    file && existsSync(join(root, folder, file))
      ? readFileSync(join(root, folder, file), 'utf8')
      : '';
  return `${'-'.repeat(78)}\n${name} ${version} (${license})\n\n${text.trim() || 'The package carries no license text of its own.'}\n`;
}

/** The license text of every package whose code is in a bundle. */
export function thirdPartyNotices(root: string, metafiles: readonly Metafile[]): string {
  const used = metafiles.flatMap(({ outputs }) =>
    Object.values(outputs).flatMap(({ inputs }) =>
      Object.entries(inputs)
        .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
        .map(([path]) => packageOf(path)),
    ),
  );
  const folders = [...new Set(used)].filter((folder) => folder !== undefined).sort();
  return [header, ...folders.map((folder) => noticeOf(root, folder))].join('\n');
}
