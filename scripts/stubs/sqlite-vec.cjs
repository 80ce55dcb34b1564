// Finds the library of sqlite-vec in the folders of packages. By their `exports`, as sqlite-vec does, Node would find it
// only after compiling its loader of ES modules.
const { existsSync } = require('node:fs');
const { platform, arch } = process;

const system = platform === 'win32' ? 'windows' : platform;
const ending = { win32: 'dll', darwin: 'dylib' }[platform] ?? 'so';
const library = `sqlite-vec-${system}-${arch}/vec0.${ending}`;

exports.load = (db) => {
  const places = require.resolve.paths(library).map((folder) => `${folder}/${library}`);
  const found = places.find((path) => existsSync(path));
  if (found === undefined) require('sqlite-vec').load(db);
  else db.loadExtension(found);
};
