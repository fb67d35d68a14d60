{
  const consent = document.getElementById('consent');
  try {
    consent.hidden = localStorage.cookieConsent === 'accepted';
  } catch {
    consent.hidden = false;
  }
  document.getElementById('accept').onclick = () => {
    consent.hidden = true;
    try {
      localStorage.cookieConsent = 'accepted';
    } catch {}
  };
}
