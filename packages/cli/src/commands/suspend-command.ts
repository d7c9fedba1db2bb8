import type { OperationName } from '@hearth/sdk';
import { readMoment } from '../moment.ts';
import { readRequired } from '../read-options.ts';
import { type ActOptions, actCommand } from './act-command.ts';
import { reasonFor } from './reason.ts';

/** A command that suspends what its argument names until a moment. @param readers of the reason */
export const suspendCommand = <Name extends OperationName>(
  given: Omit<ActOptions<Name>, 'options' | 'read'>,
  readers: string,
) =>
  actCommand({
    ...given,
    options: {
      until: {
        help: 'a time, e.g. 2026-03-01T12:00:00Z, or a duration, e.g. 6h or 7d; at most 365 days ahead',
        value: 'time',
      },
      reason: reasonFor(readers),
    },
    read: ({ values, deps }) => ({
      until: readMoment('until', readRequired(values, 'until'), deps.clock, 'ahead'),
      reason: readRequired(values, 'reason'),
    }),
  });
