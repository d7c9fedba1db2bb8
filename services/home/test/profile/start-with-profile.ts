import { startProfile } from '@hearth/gateway/profile';
import { startIdentity, type TestIdentityOptions } from '@hearth/identity/testing/start-identity';
import type { ServiceDefinition } from '@hearth/runtime';

/** The gateway's module for whoami, cards and the guardian's view, without the rest of the gateway. */
const gateway: ServiceDefinition = { name: 'gateway', start: startProfile };

export const startWithProfile = (options: TestIdentityOptions = {}) =>
  startIdentity({ ...options, beside: [gateway] });
