import type { RunnableConfig } from '@langchain/core/runnables';
import {
  BaseCheckpointSaver,
  type Checkpoint,
  type CheckpointMetadata,
  type PendingWrite,
} from '@langchain/langgraph-checkpoint';
import { failPoint } from '../../db/fail-point.ts';

type Write = () => Promise<unknown>;

/**
 * Buffers checkpoints in memory until the run parks: most runs end without parking, and need no checkpoints. The real saver
 * is opened when it is first needed.
 */
export class BufferedCheckpoints extends BaseCheckpointSaver {
  readonly #open: () => BaseCheckpointSaver;
  #opened: BaseCheckpointSaver | undefined;
  readonly #new = new Set<string>();
  readonly #held = new Map<string, Write[]>();

  constructor(open: () => BaseCheckpointSaver) {
    super();
    this.#open = open;
  }

  get #saver(): BaseCheckpointSaver {
    this.#opened ??= this.#open();
    return this.#opened;
  }

  /** Marks a new thread: nothing is stored for it, so reads skip the saver. */
  begin(threadId: string): void {
    this.#new.add(threadId);
  }

  async keep(threadId: string): Promise<void> {
    const writes = this.#held.get(threadId) ?? [];
    this.#held.delete(threadId);
    this.#new.delete(threadId);
    for (const write of writes) {
      failPoint('checkpoint');
      await write();
      failPoint('checkpointed');
    }
  }

  drop(threadId: string): void {
    this.#held.delete(threadId);
  }

  override async getTuple(config: RunnableConfig) {
    return this.#new.has(threadOf(config)) ? undefined : this.#saver.getTuple(config);
  }

  override list(...given: Parameters<BaseCheckpointSaver['list']>) {
    return this.#saver.list(...given);
  }

  override async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
  ): Promise<RunnableConfig> {
    const { thread_id, checkpoint_ns = '' } = config.configurable ?? {};
    this.#hold(config, () => this.#saver.put(config, checkpoint, metadata, {}));
    return { configurable: { thread_id, checkpoint_ns, checkpoint_id: checkpoint.id } };
  }

  override async putWrites(
    config: RunnableConfig,
    writes: PendingWrite[],
    taskId: string,
  ): Promise<void> {
    this.#hold(config, () => this.#saver.putWrites(config, writes, taskId));
  }

  override async deleteThread(threadId: string): Promise<void> {
    this.drop(threadId);
    await this.#saver.deleteThread(threadId);
  }

  #hold(config: RunnableConfig, write: Write): void {
    const threadId = threadOf(config);
    const writes = this.#held.get(threadId);
    if (writes) writes.push(write);
    else this.#held.set(threadId, [write]);
  }
}

const threadOf = ({ configurable }: RunnableConfig): string => String(configurable?.['thread_id']);
