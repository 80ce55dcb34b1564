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

/** The fields of the table of settings. Without a value and default, undefined or an empty list. */
export type FieldSettings = {
  readonly [K in keyof ByPath as K extends `${string}.${string}` ? never : K]: ByPath[K];
} & {
  readonly [G in Group]: {
    readonly [K in keyof ByPath as K extends `${G}.${infer M}` ? M : never]: ByPath[K];
  };
};

/** The settings in the product's own terms and units. */
export interface Settings extends Omit<FieldSettings, 'modelFallback' | 'budget'> {
  /** The folder of the run and of the project's files, as an absolute real path. */
  readonly workspace: string;
  readonly places: Places;
  /** Models that answer while the provider is out of service, in this order. */
  readonly modelFallback: readonly { readonly provider: VendorName; readonly model: string }[];
  readonly budget: FieldSettings['budget'] & {
    /** Whether it was set by flag, environment or own file: then it is the consent to spend it. */
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

/** The source of the used value. */
export interface Origin {
  readonly layer: Layer;
  /** An option such as `budgetUsd`, `CAPSTAN_BUDGET_RUN_USD`, `/…/config.yaml:3`, or `default`. */
  readonly source: string;
  /** The value in words: masked if it is a secret, empty if nothing is set. */
  readonly shown: string;
}

export interface LoadedSettings {
  readonly settings: Settings;
  readonly origins: ReadonlyMap<SettingName, Origin>;
  /** Notices before anything starts: one sentence each, without line breaks. */
  readonly notices: readonly string[];
  readonly project: Project;
}

/** The Capstan files of the workspace, and whether the person has accepted their current content. */
export interface Project {
  readonly folder: string;
  readonly files: readonly ProjectFile[];
}

export interface ProjectFile {
  /** Relative to the folder, with `/`. */
  readonly path: string;
  /** `unfit`: a link, a special file, or beyond the limits; it can't be trusted. `gone`: a trusted file that no longer exists. */
  readonly state: 'trusted' | 'new' | 'changed' | 'unfit' | 'gone';
  /** SHA-256 of the content, in hex; undefined for `unfit` and `gone`. */
  readonly sha256: string | undefined;
}
