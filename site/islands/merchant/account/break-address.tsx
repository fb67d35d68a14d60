/** Returns an email address with a line-break opportunity before the @, or false for ''. */
export function breakableEmail(email: string) {
  const [name, domain] = email.split('@');
  return (
    domain !== undefined && (
      <>
        {name}
        <wbr />@{domain}
      </>
    )
  );
}
