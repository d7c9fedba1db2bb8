import type { ServiceDefinition } from '@hearth/runtime';
import { startActivity } from './activity/module.ts';
import { startAppDeliveries } from './app-deliveries/module.ts';
import { startAudit } from './audit/module.ts';
import { startCallbacks } from './callbacks/module.ts';
import { startHold } from './hold/module.ts';
import { startMails } from './mails/module.ts';
import { startNotices } from './notices/module.ts';
import { startOutbound } from './outbound/module.ts';
import { startStreams } from './streams/module.ts';
import { startSubscriptions, subscribers } from './subscriptions/module.ts';

export const delivery: ServiceDefinition = {
  name: 'delivery',
  migrations: new URL('../migrations/', import.meta.url),
  async start(host) {
    const outbound = await startOutbound(host);
    const mails = await startMails(host, { outbound });
    await startHold(host, { mails });
    await startActivity(host);
    await startAudit(host);
    const streams = await startStreams(host, { outbound, subscribers });
    await startSubscriptions(host, { outbound, streams });
    const appEvents = await startAppDeliveries(host, { outbound });
    await startCallbacks(host, outbound);
    await startNotices(host, { appEvents, outbound });
  },
};
