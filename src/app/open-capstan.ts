import { type ApprovalsApi, approvalsApi } from './approvals/approvals-api.ts';
import { reportStorageFailures } from './calls/report-storage-failures.ts';
import { type CapsulesApi, capsulesApi } from './capsules/capsules-api.ts';
import { type MemoryApi, memoryApi } from './capsules/memory/memory-api.ts';
import { type RoutingApi, routingApi } from './capsules/routing/routing-api.ts';
import { type OpenOptions, openContext } from './context/open-context.ts';
import { type DoctorApi, doctorApi } from './doctor/doctor-api.ts';
import { type BreakersApi, breakersApi } from './money/breakers-api.ts';
import { type CostsApi, costsApi } from './money/costs-api.ts';
import { type AuditApi, auditApi } from './policy/audit/audit-api.ts';
import { type PolicyApi, policyApi } from './policy/policy-api.ts';
import { type TrustApi, trustApi } from './policy/trust/trust-api.ts';
import { type ReportsApi, reportsApi } from './reports/reports-api.ts';
import { type RunsApi, runsApi } from './runs/runs-api.ts';
import { type ServingApi, servingApi } from './serving/serving-api.ts';
import { type SessionsApi, sessionsApi } from './sessions/sessions-api.ts';
import { type ModelsApi, modelsApi } from './settings/models/models-api.ts';
import { type SettingsApi, settingsApi } from './settings/settings-api.ts';
import { type SetupApi, setupApi } from './settings/setup/setup-api.ts';
import { type StatusApi, statusApi } from './settings/status/status-api.ts';
import { type TypedLinesApi, typedLinesApi } from './typed-lines/typed-lines-api.ts';

/** The application API: what the product can do. Every surface is built on it alone. */
export interface Capstan {
  readonly runs: RunsApi;
  readonly sessions: SessionsApi;
  readonly approvals: ApprovalsApi;
  readonly capsules: CapsulesApi;
  readonly memory: MemoryApi;
  readonly policy: PolicyApi;
  readonly trust: TrustApi;
  readonly costs: CostsApi;
  readonly audit: AuditApi;
  readonly breakers: BreakersApi;
  readonly routing: RoutingApi;
  readonly settings: SettingsApi;
  readonly doctor: DoctorApi;
  readonly reports: ReportsApi;
  readonly serving: ServingApi;
  readonly setup: SetupApi;
  readonly models: ModelsApi;
  readonly status: StatusApi;
  readonly typedLines: TypedLinesApi;
  /** Parks the runs of this process that have not ended, then closes the database. Nothing else can be called after it. */
  close(): Promise<void>;
}

/**
 * Opens Capstan for one user. Called once per process: one process can run many workspaces at the same time. The
 * database and everything heavy are opened by the first call that needs them.
 */
export async function openCapstan(options: OpenOptions): Promise<Capstan> {
  const context = await openContext(options);
  const reporting = <T extends object>(api: T): T => reportStorageFailures(api, context);
  const { start, ...otherRuns } = runsApi(context);
  // It explains its failures itself: a run starts on a short path.
  const runs = { start, ...reporting(otherRuns) };
  return {
    runs,
    sessions: reporting(sessionsApi(context, runs)),
    approvals: reporting(approvalsApi(context)),
    capsules: reporting(capsulesApi(context)),
    memory: reporting(memoryApi(context)),
    policy: reporting(policyApi(context)),
    trust: reporting(trustApi(context)),
    costs: reporting(costsApi(context)),
    audit: reporting(auditApi(context)),
    breakers: reporting(breakersApi(context)),
    routing: reporting(routingApi(context)),
    settings: reporting(settingsApi(context)),
    doctor: reporting(doctorApi(context)),
    reports: reporting(reportsApi(context)),
    serving: reporting(servingApi(context)),
    setup: reporting(setupApi(context)),
    models: reporting(modelsApi(context)),
    status: reporting(statusApi(context)),
    typedLines: typedLinesApi(context),
    close: context.close,
  };
}
