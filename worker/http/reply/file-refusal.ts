import type { FileRefusal } from '#worker/files/read-upload';

/** `types`: the accepted types in words. */
export function describeRefusal(reason: FileRefusal, types: string): string {
  switch (reason) {
    case 'unknown-type':
      return `Please choose a ${types}.`;
    case 'broken':
      return 'This file is damaged or incomplete. Save it again, or choose another one.';
    case 'too-many-pixels':
      return 'This image is too large. Choose one of at most 60 million pixels and 20,000 on each side.';
    case 'pdf-acts':
      return 'This PDF runs a script or starts a program. Print it to a new PDF, and upload that one.';
    case 'pdf-markup':
      return 'This PDF is also a web page. Print it to a new PDF, and upload that one.';
  }
}
