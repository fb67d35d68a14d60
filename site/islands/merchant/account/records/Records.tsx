import { AccountFrame } from '../AccountFrame.tsx';
import { Closing } from './Closing.tsx';
import { Download } from './Download.tsx';

/** All records of the account as a file, and its end. */
export const Records = () => (
  <AccountFrame title="Records and closing" right="administer">
    <Download />
    <Closing />
  </AccountFrame>
);
