import type { GateMode } from '../contract/gate.ts';
import type { ProviderName } from '../contract/provider-name.ts';
import type { SettingName } from './setting-table.ts';

/** The product's settings in its own words and units. What nobody set and has no default is undefined. */
export interface Settings {
  /** Absolute, and the real path: where the run works, and where the project's files are looked for. */
  readonly workspace: string;
  readonly logLevel: 'error' | 'warn' | 'info' | 'debug';
  readonly places: Places;

  /** What the person chose; undefined: the coordinator finds one. */
  readonly provider: ProviderName | undefined;
  /** Of the chosen provider, whichever it is; stronger than `baseUrls`. */
  readonly baseUrl: string | undefined;
  readonly baseUrls: {
    readonly openai: string | undefined;
    readonly anthropic: string | undefined;
    readonly gemini: string | undefined;
    readonly ollama: string | undefined;
  };
  readonly keys: {
    readonly openai: string | undefined;
    readonly anthropic: string | undefined;
    readonly gemini: string | undefined;
  };
  readonly openaiOrganization: string | undefined;
  readonly models: {
    readonly fast: string | undefined;
    readonly balanced: string | undefined;
    readonly best: string | undefined;
  };
  /** Models that answer while the provider is out of service, in this order. */
  readonly modelFallback: readonly {
    readonly provider: Exclude<ProviderName, 'offline'>;
    readonly model: string;
  }[];
  readonly embedder: 'static' | 'minilm';
  readonly modelDir: string | undefined;
  readonly route: {
    /** Scores at which a capsule is taken, or creation is considered; undefined: the embedder's own. */
    readonly take: number | undefined;
    readonly create: number | undefined;
    /** Who chooses from a short list that the score leaves open. */
    readonly judge: 'auto' | 'person';
  };

  readonly gates: {
    readonly create: GateMode;
    readonly spend: GateMode;
    readonly write: GateMode;
    readonly execute: GateMode;
  };
  readonly approveMode: 'ask' | 'allow' | 'deny';
  readonly approvalDeadlineMs: number | undefined;
  readonly budget: {
    readonly runMicroUsd: number;
    /** By flag, environment or own file: then the budget is the consent to spend it. */
    readonly runMicroUsdSetByPerson: boolean;
    readonly dayMicroUsd: number;
    readonly runTokens: number | undefined;
  };

  readonly runTimeoutMs: number | undefined;
  readonly capsuleTimeoutMs: number;
  readonly toolTimeoutMs: number;
  readonly modelReasoning: 'none' | 'low' | 'medium' | 'high' | undefined;
  readonly modelTimeoutMs: number;
  readonly modelRetryMs: number;
  /** A phase. */
  readonly maxSubtasks: number;
  readonly maxAttempts: number;
  /** An attempt. */
  readonly maxIntents: number;
  /** A run. */
  readonly maxCapsules: number;
  readonly concurrency: number;
  /** Of the earlier turns of a session. */
  readonly sessionTokens: number;
  readonly lineBytes: number;
  readonly breaker: { readonly failures: number; readonly restMs: number };

  /** `A`, `B`, `C`: at least this level, else refuse. */
  readonly isolation: 'auto' | 'A' | 'B' | 'C';
  /** Absolute paths that a sandbox may read beside the workspace. */
  readonly sandboxRead: readonly string[];
  /** Lower case; `example.com`, `example.com:8080` or `*.example.com`. */
  readonly hosts: readonly string[];
  /** Normalised origins: `http://127.0.0.1:8080`. */
  readonly privateOrigins: readonly string[];
  /** Absolute paths that the person opens although they are protected. */
  readonly openPaths: readonly string[];
  readonly network: {
    readonly httpProxy: string | undefined;
    readonly httpsProxy: string | undefined;
    readonly noProxy: readonly string[];
    readonly extraCaCerts: string | undefined;
  };
  /** What pruning keeps. */
  readonly retention: { readonly keepMs: number; readonly keepBytes: number };
  /** Content of changed files that one run keeps for an undo. */
  readonly undoBytes: number;
  /** The loopback port of the server; 0: any free one. */
  readonly servePort: number;
}

/** Capstan's four folders, absolute. They may not exist yet: `makePlaces`. */
export interface Places {
  readonly configDir: string;
  readonly dataDir: string;
  readonly stateDir: string;
  readonly cacheDir: string;
}

/** Strongest first. */
export const layers = ['flag', 'environment', 'project', 'person', 'default'] as const;
export type Layer = (typeof layers)[number];

/** Where the value in force comes from. */
export interface Origin {
  readonly layer: Layer;
  /** An option such as `budgetUsd`, `CAPSTAN_BUDGET_RUN_USD`, `/…/config.yaml:3`, or `default`. */
  readonly source: string;
  /** The value for a person's eyes: masked where it is a secret, empty where nothing is set. */
  readonly shown: string;
}

export interface LoadedSettings {
  readonly settings: Settings;
  readonly origins: ReadonlyMap<SettingName, Origin>;
  /** What the person should know before anything starts; one sentence each, no line breaks. */
  readonly notices: readonly string[];
  readonly project: Project;
}

/** The Capstan files of the workspace, and whether the person has seen and accepted each as it is now. */
export interface Project {
  readonly folder: string;
  readonly files: readonly ProjectFile[];
}

export interface ProjectFile {
  /** Relative to the folder, with `/`. */
  readonly path: string;
  /** `unfit`: a link, a special file or past the limits; it can't be trusted. `gone`: trusted once, not there now. */
  readonly state: 'trusted' | 'new' | 'changed' | 'unfit' | 'gone';
  /** SHA-256 of the content, in hex; undefined for `unfit` and `gone`. */
  readonly sha256: string | undefined;
}
