/** All that a capsule inherits. An allow-list, so that a secret added to our own environment tomorrow stays in it. */
export const capsuleEnvironment = (sdkPath: string): Record<string, string> => ({
  PATH: '/usr/bin:/bin',
  LANG: 'C.UTF-8',
  NODE_ENV: 'production',
  CAPSTAN_SDK: sdkPath,
});
