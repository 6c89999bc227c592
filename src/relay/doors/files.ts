import { answer } from '../answers.ts';
import type { RelayDoor } from '../relay-door.ts';
import type { StaticFiles } from '../static-files.ts';

/** Every path that no other door has: the files of the game's page, or nothing. */
export const filesDoor = (files: StaticFiles | undefined): RelayDoor => ({
  name: 'files',
  routes: [
    {
      path: '*',
      methods: ['GET', 'HEAD'],
      token: 'none',
      bodyBytes: 0,
      handle({ request, response }) {
        const notFound = () => answer(request, response, 404, 'There is nothing here.');
        return files === undefined ? notFound() : files(request, response, notFound);
      },
    },
  ],
});
