/**
 * Stands in for the compilers of JSON Schemas that Fastify loads for its routes. Ours have no such schemas: they parse with zod.
 */
module.exports = () => () => {
  throw new Error('JSON Schemas of routes are not part of this build');
};
