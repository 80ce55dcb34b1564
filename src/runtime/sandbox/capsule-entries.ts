import { readdirSync } from 'node:fs';

/** What the coordinator keeps in a capsule's folder beside what the capsule is made of. */
const ownRecord = /^(memory\.db.*|logs)$/;

/** The names in a capsule's folder that its process may see: its memory and logs are the coordinator's, and links lead elsewhere. */
export const capsuleEntries = (dir: string): readonly string[] =>
  readdirSync(dir, { withFileTypes: true })
    .filter((entry) => (entry.isFile() || entry.isDirectory()) && !ownRecord.test(entry.name))
    .map(({ name }) => name);
