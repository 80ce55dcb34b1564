import type { VendorName } from '../contract/vendors.ts';
import type { SettingName, SettingValues, settingTable } from './setting-table.ts';

type Table = typeof settingTable;

/** The values of the settings that have a field, by its path: `budget.runTokens`. */
type ByPath = {
  readonly [N in SettingName as Table[N]['field'] extends string
    ? Table[N]['field']
    : never]: SettingValues[N];
};
type Group = keyof ByPath extends infer K ? (K extends `${infer G}.${string}` ? G : never) : never;

/** The fields as the table of settings names them. What nobody set and has no default is undefined, a list empty. */
export type FieldSettings = {
  readonly [K in keyof ByPath as K extends `${string}.${string}` ? never : K]: ByPath[K];
} & {
  readonly [G in Group]: {
    readonly [K in keyof ByPath as K extends `${G}.${infer M}` ? M : never]: ByPath[K];
  };
};

/** The product's settings in its own words and units. */
export interface Settings extends Omit<FieldSettings, 'modelFallback' | 'budget'> {
  /** Absolute, and the real path: where the run works, and where the project's files are looked for. */
  readonly workspace: string;
  readonly places: Places;
  /** Models that answer while the provider is out of service, in this order. */
  readonly modelFallback: readonly { readonly provider: VendorName; readonly model: string }[];
  readonly budget: FieldSettings['budget'] & {
    /** By flag, environment or own file: then the budget is the consent to spend it. */
    readonly runMicroUsdSetByPerson: boolean;
  };
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
  /** The value for a person's eyes: masked where it is a secret, empty if nothing is set. */
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
