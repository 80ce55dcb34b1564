/** What Capstan can repair by itself. */
export type RepairId =
  | 'private_places'
  | 'code_cache'
  | 'download_model'
  | 'search_index'
  | 'breakers';

/** A repair, as a person should see it before it is made. */
export interface RepairPlan {
  readonly id: RepairId;
  /** One line for each thing that changes: `/home/me/.config/capstan: mode 755 → 700`. */
  readonly steps: readonly string[];
}

export interface RepairOptions {
  /** Called while a repair works: bytes of a download, or texts of the index. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  /** The surface that a person asked at, for the record. */
  readonly by: string;
}
