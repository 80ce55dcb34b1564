import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite';
import { keepStatements } from '../../../db/keep-statements.ts';
import { type Db, openRelaxedConnection } from '../../../db/open-database.ts';

/** Where the graph's state is kept: a connection of its own, that most processes never open. */
export function openCheckpoints(path: string) {
  let db: Db | undefined;
  return {
    open(): SqliteSaver {
      db = openRelaxedConnection(path);
      return new SqliteSaver(keepStatements(db));
    },
    close: () => void db?.close(),
  };
}
