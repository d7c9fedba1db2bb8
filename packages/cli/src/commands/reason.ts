import type { CommandContext } from '../command.ts';

/** The operator's reason for an act. */
export const reasonOption = { reason: { type: 'string' } } as const;
const words = 'why, up to 200 characters';
export const reasonHelp = `--reason <text>        ${words}`;

/** The reason as an option of `actCommand`. @param readers "its owner reads it" */
export const reasonFor = (readers: string) => ({ help: `${words}: ${readers}` });

export const reasonOf = ({ values }: Pick<CommandContext, 'values'>) =>
  typeof values.reason === 'string' ? { reason: values.reason } : {};
