import { actCommand } from '../act-command.ts';
import { homeArgument, tellHome } from './home.ts';

export const homeShow = actCommand({
  ...homeArgument,
  name: 'home show',
  summary: 'show another home: its document, its keys and what waits',
  operation: 'show_home',
  tell: tellHome,
});

export const homeRefetch = actCommand({
  ...homeArgument,
  name: 'home refetch',
  summary: 'fetch the document of a home now',
  operation: 'refetch_home',
  tell: tellHome,
});
