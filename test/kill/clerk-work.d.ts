/** The capsule's own file is plain CommonJS. */
declare module '*/work.cjs' {
  export const handlers: Record<
    string,
    import('../../src/runtime/capsule/handler-context.ts').Handler
  >;
}
