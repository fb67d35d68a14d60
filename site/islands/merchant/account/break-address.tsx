/** An email address that wraps before the @ and not inside a word; false for ''. */
export function breakAddress(email: string) {
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
