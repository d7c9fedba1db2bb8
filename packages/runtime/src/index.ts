export type { ReceivedEvent } from './consume.ts';
export type { Readiness } from './readiness.ts';
export { run } from './run.ts';
export { runMigrations } from './run-migrations.ts';
export type { Host, HostParts, Removal, ServiceDefinition } from './service.ts';
export { type ServiceName, serviceNames } from './service-names.ts';
export { type Home, startHome } from './start-home.ts';
