/** What a conversation begins with. */
export interface Opening {
  /** Settings of its runs that flags gave. */
  readonly settings: {
    readonly provider?: string | undefined;
    readonly model?: string | undefined;
  };
  /** The session that the first line continues; undefined: it begins a new one. */
  readonly sessionId: string | undefined;
  /** The folder that Capstan was called in, for relative paths in settings. Default: that of the conversation. */
  readonly calledIn?: string;
}
