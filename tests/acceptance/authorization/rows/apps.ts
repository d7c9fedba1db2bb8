import type { Row } from './row.ts';

const appEvents = ['appsEvent', 'otherAppsEvent', 'noEvent'] as const;

/** Operations on an app's deliveries and events. */
export const appsRows: readonly Row[] = [
  ...(
    [
      ['get_delivery', (client, id) => client.get(`/v0/app/deliveries/${id}`)],
      // Neither app has an address; only the app that the event belongs to is told so.
      ['replay_delivery', (client, id) => client.post(`/v0/app/deliveries/${id}/replay`)],
    ] as const satisfies readonly (readonly [string, Row['act']])[]
  ).map(([operation, act]) => ({
    operation,
    act,
    targets: appEvents,
    expected: { app: 'ANN', otherApp: 'NAN', ownerless: 'XXX' },
  })),
];
