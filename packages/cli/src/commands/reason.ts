import type { CommandContext } from '../command.ts';

/** The operator's reason for an act. */
export const reasonOption = { reason: { type: 'string' } } as const;
export const reasonHelp = '--reason <words>       why, up to 200 characters';

export const reasonOf = ({ values }: Pick<CommandContext, 'values'>) =>
  typeof values.reason === 'string' ? { reason: values.reason } : {};
