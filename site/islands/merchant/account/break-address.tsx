/** An email address that breaks before its domain and not inside a word; false for ''. */
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
