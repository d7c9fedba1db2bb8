export type { Host, ServiceDefinition } from './service.ts';
export { serviceNames, type ServiceName } from './service-names.ts';
export { run } from './run.ts';
export { startHome, type Home, type Overrides } from './start-home.ts';
