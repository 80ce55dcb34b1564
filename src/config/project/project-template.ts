/** A `capstan.yaml` with the usual settings of a project, commented out, with their defaults. */
export const PROJECT_TEMPLATE = `\
# Settings of this project. They apply once you have trusted the file. Most may only be stricter than your own.
# Keys, providers, folders and hosts are never read from here. All settings: docs/settings.md.

# model:
#   fast:
#   balanced:
#   best:
# # How questions without a remembered answer are answered: ask (a person), allow or deny.
# approve_mode: ask
# gate:
#   # auto is the decision table; ask, allow or deny apply to every capsule.
#   write: auto
#   execute: auto
# budget:
#   # Limits of one run and of a day.
#   run_usd: 1
#   day_usd: 10
# timeout:
#   tool_sec: 60
# # Subtasks that run at the same time.
# concurrency: 4
`;
