import { type ServiceDefinition, serviceNames } from '@hearth/runtime';

/** Completes these services to a whole home with services that do nothing. */
export function wholeHome(services: readonly ServiceDefinition[]): ServiceDefinition[] {
  const given = new Set(services.map(({ name }) => name));
  const absent = serviceNames
    .filter((name) => !given.has(name))
    .map((name): ServiceDefinition => ({ name, start: async () => {} }));
  return [...absent, ...services];
}
