import type { Command } from '../command.ts';
import { appCreate } from './app-create.ts';
import { appList } from './app-list.ts';
import { recordVerify } from './record-verify.ts';

/** Everything that the tool can do, in the order in which it is listed. */
export const commands: readonly Command[] = [appCreate, appList, recordVerify];

/** What the first words stand for. */
export const groups: Readonly<Record<string, string>> = {
  app: "Apps, which hold people's accounts and act for them",
  record: 'Records that homes signed, such as the answers to asks',
};
