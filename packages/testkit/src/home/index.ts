export { type ApiClient, apiClient, type Reply, signUpAi, type TestAi } from './client.ts';
export { createHomeDatabase } from './home-data.ts';
export { type ServiceProcess, spawnService } from './service-process.ts';
export { type SharedHome, sharedHome } from './shared.ts';
export {
  type StartedHome,
  type StartOptions,
  startHomeInProcesses,
  type Topology,
  topologyOf,
} from './start.ts';
export { startTwoHomes } from './two-homes.ts';
