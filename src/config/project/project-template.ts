/** A `capstan.yaml` with the usual settings of a project, commented out, with their defaults. */
export const PROJECT_TEMPLATE = `\
# Settings of this project. They apply once you have trusted the file. Most may only be stricter than your own.
# Keys, providers, folders and hosts are never read from here. All settings: docs/settings.md.

# model:
#   # For small, for most and for hard steps. Default: the provider's.
#   fast:
#   balanced:
#   best:

# # How questions without a remembered answer are answered: ask (a person), allow or deny.
# approve_mode: ask
# gate:
#   # Writing files, and executing commands: auto (the decision table), or for every capsule ask, allow or deny.
#   write: auto
#   execute: auto

# budget:
#   # Spending limits of one run and of a day, in US dollars.
#   run_usd: 1
#   day_usd: 10

# timeout:
#   # Time limits of a run and of one tool call, in seconds. Default of a run: none.
#   run_sec:
#   tool_sec: 60

# # Subtasks that run at the same time.
# concurrency: 4
# # The lowest isolation level; if it is not available, nothing runs: auto, A, B or C.
# isolation: auto
`;
