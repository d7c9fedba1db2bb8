export type { Readiness } from './readiness.ts';
export type { Host, ServiceDefinition } from './service.ts';
export { serviceNames, type ServiceName } from './service-names.ts';
export { run } from './run.ts';
export { runMigrations } from './run-migrations.ts';
export { startHome, type Home, type Overrides } from './start-home.ts';
