// biome-ignore-all lint/performance/noBarrelFile: a surface imports nothing below `app/`.
export { installFolder, packageVersion } from '../config/files/install-folder.ts';
export { processEnvironment } from '../config/places.ts';
export { closeInherited } from '../runtime/process/close-inherited.ts';
