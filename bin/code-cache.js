const fs = require('node:fs');
const path = require('node:path');

/** Files kept of all versions and commands; the least recently written ones go first. */
const MAX_FILES = 24;

/** Compiled code is code: it counts only where nobody but us could have written it. */
function isOurs({ uid, mode }) {
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
}

/** @returns The bytes, or undefined if there are none that can be trusted. */
function read(file) {
  try {
    if (!isOurs(fs.statSync(path.dirname(file)))) return undefined;
    const fd = fs.openSync(file, fs.constants.O_RDONLY | (fs.constants.O_NOFOLLOW || 0));
    try {
      return isOurs(fs.fstatSync(fd)) ? fs.readFileSync(fd) : undefined;
    } finally {
      fs.closeSync(fd);
    }
  } catch (_error) {
    return undefined;
  }
}

function remove(file) {
  try {
    fs.unlinkSync(file);
  } catch (_error) {
    // It was never there, or it can't be removed: it is left.
  }
}

function prune(folder) {
  const files = fs
    .readdirSync(folder)
    .map((name) => path.join(folder, name))
    .map((file) => ({ file, at: fs.statSync(file).mtimeMs }))
    .sort((a, b) => b.at - a.at);
  for (const { file } of files.slice(MAX_FILES)) remove(file);
}

/** Keeps the bytes for the next start. Where that can't be done, the next start compiles: never an error. */
function write(file, bytes) {
  const draft = `${file}.${process.pid}.tmp`;
  try {
    fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    fs.writeFileSync(draft, bytes, { mode: 0o600, flag: 'wx' });
    fs.renameSync(draft, file);
    prune(path.dirname(file));
  } catch (_error) {
    remove(draft);
  }
}

exports.read = read;
exports.write = write;
