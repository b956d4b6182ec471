// Coefficients, tables and constants of the elementary functions. tools/elementary/tables.py writes this file.
#pragma once

#include <array>
#include <cstdint>

// clang-format off
namespace vw::elementary::tables {

// Exponential functions.

/// Polynomial for (e^r - 1 - r) / r^2.
/// Its degree is 3 on [-0.00270761, 0.00270761]. Its error, relative to the function computed with it, is 2^-63.66.
inline constexpr std::array<double, 4> exp_series{
    0x1.fffffffffff58p-2, 0x1.5555555555525p-3, 0x1.55555accc1ca7p-5, 0x1.11111430bcc06p-7,
};
/// Polynomial for (2^r - 1) / r.
/// Its degree is 4 on [-0.00390625, 0.00390625]. Its error, relative to the function computed with it, is 2^-62.8.
inline constexpr std::array<double, 5> exp2_series{
    0x1.62e42fefa39efp-1, 0x1.ebfbdff82c3fbp-3, 0x1.c6b08d704a02p-5, 0x1.3b2abd4ad2543p-7,
    0x1.5d88037824728p-10,
};
/// Polynomial for (e^x - 1 - x - x^2 / 2) / x^3.
/// Its degree is 7 on [-0.0625, 0.0625]. Its error, relative to the function computed with it, is 2^-64.56.
inline constexpr std::array<double, 8> expm1_series{
    0x1.5555555555555p-3, 0x1.5555555555555p-5, 0x1.11111111111e8p-7, 0x1.6c16c16c16ca6p-10,
    0x1.a01a018f49e49p-13, 0x1.a01a0194e49dbp-16, 0x1.71e4f3f5f3169p-19, 0x1.27e9773671bfp-22,
};
/// Polynomial for (sinh(x) - x) / x^3 as a function of x^2.
/// Its degree is 4 on [0.0, 0.015625]. Its error, relative to the function computed with it, is 2^-62.59.
inline constexpr std::array<double, 5> sinh_series{
    0x1.5555555555555p-3, 0x1.1111111111111p-7, 0x1.a01a01a01e516p-13, 0x1.71de399444abfp-19,
    0x1.ae7fee318dd27p-26,
};
/// Polynomial for (tanh(x) - x) / x^3 as a function of x^2.
/// Its degree is 6 on [0.0, 0.015625]. Its error, relative to the function computed with it, is 2^-61.6.
inline constexpr std::array<double, 7> tanh_series{
    -0x1.5555555555555p-2, 0x1.111111111110dp-3, -0x1.ba1ba1ba1802bp-5, 0x1.664f4877e22dcp-6,
    -0x1.226e25d242019p-7, 0x1.d6bcf70633ebbp-9, -0x1.754ad0855b969p-10,
};
/// 128 / ln 2.
inline constexpr double exp_steps = 0x1.71547652b82fep7;
/// Upper 35 bits of ln 2 / 128.
inline constexpr double exp_step_upper = 0x1.62e42fef8p-8;
/// ln 2 / 128 - exp_step_upper.
inline constexpr double exp_step_lower = 0x1.1cf79abc9e3b4p-43;
/// Pairs t, e with 2^(i / 128) = t (1 + e), for i = 0 to 127.
inline constexpr std::array<double, 256> exp_table{
    0x1p0, 0x0p0, 0x1.0163da9fb3335p0, 0x1.b3b4f1a88bf6ep-54,
    0x1.02c9a3e778061p0, -0x1.160139cd8dc5dp-56, 0x1.04315e86e7f85p0, -0x1.05e7a108766d1p-54,
    0x1.059b0d3158574p0, 0x1.cd2523567f613p-55, 0x1.0706b29ddf6dep0, -0x1.bce8023f98efap-55,
    0x1.0874518759bc8p0, 0x1.0f74e61e6c861p-57, 0x1.09e3ecac6f383p0, 0x1.0a3e45b33d399p-54,
    0x1.0b5586cf9890fp0, 0x1.79aa65d837b6dp-54, 0x1.0cc922b7247f7p0, 0x1.eb51a92fdeffcp-55,
    0x1.0e3ec32d3d1a2p0, 0x1.ebe3d702f9cd1p-60, 0x1.0fb66affed31bp0, -0x1.a033489906e0bp-57,
    0x1.11301d0125b51p0, -0x1.556522a2fbd0ep-54, 0x1.12abdc06c31ccp0, -0x1.080ef8c4eea55p-58,
    0x1.1429aaea92dep0, -0x1.1c923b9d5f416p-54, 0x1.15a98c8a58e51p0, 0x1.0d3e3e95c55afp-55,
    0x1.172b83c7d517bp0, -0x1.01b15eaa59348p-55, 0x1.18af9388c8deap0, -0x1.f1ff055de323dp-55,
    0x1.1a35beb6fcb75p0, 0x1.b898c3f1353bfp-55, 0x1.1bbe084045cd4p0, -0x1.6d99c7611eb26p-54,
    0x1.1d4873168b9aap0, 0x1.aecf73e3a2f6p-54, 0x1.1ed5022fcd91dp0, -0x1.fe782cb86389dp-55,
    0x1.2063b88628cd6p0, 0x1.a6f4144a6c38dp-55, 0x1.21f49917ddc96p0, 0x1.07a05b0e4047dp-55,
    0x1.2387a6e756238p0, 0x1.68efde3a8a894p-54, 0x1.251ce4fb2a63fp0, 0x1.75e18f274487dp-55,
    0x1.26b4565e27cddp0, 0x1.0472b981fe7f2p-55, 0x1.284dfe1f56381p0, -0x1.6b87b3f71085ep-54,
    0x1.29e9df51fdee1p0, 0x1.2f7e16d09ab31p-55, 0x1.2b87fd0dad99p0, -0x1.d219b1a6fbffap-60,
    0x1.2d285a6e4030bp0, 0x1.b3782720c0ab4p-55, 0x1.2ecafa93e2f56p0, 0x1.e149289cecb8fp-57,
    0x1.306fe0a31b715p0, 0x1.34d754db0abb6p-55, 0x1.32170fc4cd831p0, 0x1.64201e2ac744cp-55,
    0x1.33c08b26416ffp0, 0x1.fdd395dd3f84ap-55, 0x1.356c55f929ff1p0, -0x1.6a3803b8e5b04p-55,
    0x1.371a7373aa9cbp0, -0x1.24aedcc4b5068p-54, 0x1.38cae6d05d866p0, -0x1.907f81b512d8ep-54,
    0x1.3a7db34e59ff7p0, -0x1.1d1e83e9436d2p-56, 0x1.3c32dc313a8e5p0, -0x1.91919b3ce1b15p-54,
    0x1.3dea64c123422p0, 0x1.59f48a72a4c6dp-55, 0x1.3fa4504ac801cp0, -0x1.312607a28698ap-54,
    0x1.4160a21f72e2ap0, -0x1.8a78f4817895bp-58, 0x1.431f5d950a897p0, -0x1.c2c9b67499a1bp-56,
    0x1.44e086061892dp0, 0x1.363ed60c2ac11p-59, 0x1.46a41ed1d0057p0, 0x1.666093b0664efp-54,
    0x1.486a2b5c13cdp0, 0x1.ecce1daa10379p-57, 0x1.4a32af0d7d3dep0, 0x1.3ff8e3f0f123p-54,
    0x1.4bfdad5362a27p0, 0x1.690cebb7aafbp-56, 0x1.4dcb299fddd0dp0, 0x1.31dbdeb54e077p-54,
    0x1.4f9b2769d2ca7p0, -0x1.f94340071a38ep-55, 0x1.516daa2cf6642p0, -0x1.7deccdc93a349p-55,
    0x1.5342b569d4f82p0, -0x1.8dec6bd0f385fp-56, 0x1.551a4ca5d920fp0, -0x1.61246ec7b5cf6p-55,
    0x1.56f4736b527dap0, 0x1.3350518fdd78ep-54, 0x1.58d12d497c7fdp0, 0x1.b98b72f8a9b05p-56,
    0x1.5ab07dd485429p0, 0x1.063e1e21c5409p-54, 0x1.5c9268a5946b7p0, 0x1.4c7855019c6eap-60,
    0x1.5e76f15ad2148p0, 0x1.432e62b64c035p-54, 0x1.605e1b976dc09p0, -0x1.ce44a6199769fp-55,
    0x1.6247eb03a5585p0, -0x1.c33c53bef4da8p-55, 0x1.6434634ccc32p0, -0x1.45378892be9aep-55,
    0x1.6623882552225p0, -0x1.3cedd78565858p-54, 0x1.68155d44ca973p0, 0x1.710aa807e1964p-58,
    0x1.6a09e667f3bcdp0, -0x1.3b3efbf5e2228p-54, 0x1.6c012750bdabfp0, -0x1.a12ad8734b982p-57,
    0x1.6dfb23c651a2fp0, -0x1.367efb86da9eep-57, 0x1.6ff7df9519484p0, -0x1.0dc3d54e08851p-55,
    0x1.71f75e8ec5f74p0, -0x1.81f647e5a3ecfp-56, 0x1.73f9a48a58174p0, -0x1.6ee4ac08b7dbp-55,
    0x1.75feb564267c9p0, -0x1.619321e55e68ap-55, 0x1.780694fde5d3fp0, 0x1.09ccb5e09d4d3p-54,
    0x1.7a11473eb0187p0, -0x1.b32dcb94da51dp-56, 0x1.7c1ed0130c132p0, 0x1.4ecfd5467c06bp-54,
    0x1.7e2f336cf4e62p0, 0x1.5ebe1abd66c55p-57, 0x1.80427543e1a12p0, -0x1.8a1c52fb3cf42p-55,
    0x1.82589994cce13p0, -0x1.369b6f13b3734p-54, 0x1.8471a4623c7adp0, -0x1.05e843a19ff1ep-55,
    0x1.868d99b4492edp0, -0x1.4d450d872576ep-54, 0x1.88ac7d98a6699p0, 0x1.0ad675b0e8ap-54,
    0x1.8ace5422aa0dbp0, 0x1.db72fc1f0eab4p-55, 0x1.8cf3216b5448cp0, -0x1.5b6609cc5e7ffp-57,
    0x1.8f1ae99157736p0, 0x1.bf68359f35f44p-56, 0x1.9145b0b91ffc6p0, -0x1.3091fa71e3d83p-54,
    0x1.93737b0cdc5e5p0, -0x1.da9b88b6c1e29p-58, 0x1.95a44cbc8520fp0, -0x1.c23f97c90b959p-57,
    0x1.97d829fde4e5p0, -0x1.2434322f4f9aap-54, 0x1.9a0f170ca07bap0, -0x1.5ca6cd7668e4bp-55,
    0x1.9c49182a3f09p0, 0x1.1affc2b91ce27p-56, 0x1.9e86319e32323p0, 0x1.dd235e10a73bbp-57,
    0x1.a0c667b5de565p0, -0x1.7c50422622263p-55, 0x1.a309bec4a2d33p0, 0x1.b1c86e3e231d5p-55,
    0x1.a5503b23e255dp0, -0x1.1bbd1d3bcbb15p-54, 0x1.a799e1330b358p0, 0x1.0cc319cee31d2p-54,
    0x1.a9e6b5579fdbfp0, 0x1.469846e735ab3p-55, 0x1.ac36bbfd3f37ap0, -0x1.2dfcd978e9db4p-55,
    0x1.ae89f995ad3adp0, 0x1.c1a7792cb3387p-55, 0x1.b0e07298db666p0, -0x1.07b8f4ad1d9fap-54,
    0x1.b33a2b84f15fbp0, -0x1.5c3d956dcaebap-58, 0x1.b59728de5593ap0, -0x1.0a40e3da6f64p-54,
    0x1.b7f76f2fb5e47p0, -0x1.8d6f438ad9334p-57, 0x1.ba5b030a1064ap0, -0x1.1eee26b588a35p-54,
    0x1.bcc1e904bc1d2p0, 0x1.4ffd70a5fddcdp-56, 0x1.bf2c25bd71e09p0, -0x1.1bdfbfa9298acp-54,
    0x1.c199bdd85529cp0, 0x1.36eae30af0cb3p-56, 0x1.c40ab5fffd07ap0, 0x1.ee3325c9ffd94p-55,
    0x1.c67f12e57d14bp0, 0x1.4e08fd10959acp-55, 0x1.c8f6d9406e7b5p0, 0x1.3cdaf384e1a67p-57,
    0x1.cb720dcef9069p0, 0x1.76b2c6c921968p-57, 0x1.cdf0b555dc3fap0, -0x1.08a1883ccb5d2p-55,
    0x1.d072d4a07897cp0, -0x1.fad5d3ffffa6fp-55, 0x1.d2f87080d89f2p0, -0x1.00dae3875a949p-54,
    0x1.d5818dcfba487p0, 0x1.4a385a63d07a7p-56, 0x1.d80e316c98398p0, -0x1.2919e2040220fp-55,
    0x1.da9e603db3285p0, 0x1.e5a50d5c192acp-55, 0x1.dd321f301b46p0, 0x1.43a59ac016b4bp-55,
    0x1.dfc97337b9b5fp0, -0x1.2d52107b43e1fp-55, 0x1.e264614f5a129p0, -0x1.92ab93b470dc9p-55,
    0x1.e502ee78b3ff6p0, 0x1.4b604603a88d3p-56, 0x1.e7a51fbc74c83p0, 0x1.3c5ec519d7271p-55,
    0x1.ea4afa2a490dap0, -0x1.ff7128fd391fp-55, 0x1.ecf482d8e67f1p0, -0x1.dae98e223747dp-55,
    0x1.efa1bee615a27p0, 0x1.ec3bc41aa2008p-55, 0x1.f252b376bba97p0, 0x1.42b94c3a9eb32p-55,
    0x1.f50765b6e454p0, 0x1.a64a931d185eep-55, 0x1.f7bfdad9cbe14p0, -0x1.e37bae43be3edp-55,
    0x1.fa7c1819e90d8p0, 0x1.7893b4d91cd9dp-56, 0x1.fd3c22b8f71f1p0, 0x1.305c14160cc89p-58,
};

// Logarithms.

/// Polynomial for (log(1 + r) - r) / r^2.
/// Its degree is 5 on [-0.00390625, 0.00390625]. Its error, relative to the function computed with it, is 2^-63.0.
inline constexpr std::array<double, 6> log_series{
    -0x1p-1, 0x1.5555555555556p-2, -0x1.ffffffff6fff6p-3, 0x1.999999991999p-3,
    -0x1.5556d556aef01p-3, 0x1.24939e7b21ce1p-3,
};
/// Polynomial for (log(1 + r) - r + r^2 / 2) / r^3.
/// Its degree is 5 on [-0.00390625, 0.00390625]. Its error, relative to the function computed with it, is 2^-70.93.
inline constexpr std::array<double, 6> log_long_series{
    0x1.5555555555556p-2, -0x1p-2, 0x1.999999991999p-3, -0x1.55555554e2219p-3,
    0x1.24939e7b21ce1p-3, -0x1.0001333453343p-3,
};
/// ln 2, rounded to a multiple of 2^-42.
inline constexpr double ln2_upper = 0x1.62e42fefa38p-1;
/// ln 2 - ln2_upper.
inline constexpr double ln2_lower = 0x1.ef35793c7673p-45;
/// Upper 26 bits of 1 / ln 2.
inline constexpr double log2_e_upper = 0x1.715476p0;
/// 1 / ln 2 - log2_e_upper.
inline constexpr double log2_e_lower = 0x1.4ae0bf85ddf44p-26;
/// Upper 26 bits of 1 / ln 10.
inline constexpr double log10_e_upper = 0x1.bcb7b1p-2;
/// 1 / ln 10 - log10_e_upper.
inline constexpr double log10_e_lower = 0x1.49b9438ca9aaep-28;
/// log10(2), rounded to a multiple of 2^-42.
inline constexpr double log10_2_upper = 0x1.34413509f8p-2;
/// log10(2) - log10_2_upper.
inline constexpr double log10_2_lower = -0x1.80433b83b532ap-44;
/// Four numbers for each interval of significands z: 1 / c, the upper and the lower part of log(c), and 0. c is near z.
/// 1 / c has 20 bits, and the upper part is a multiple of 2^-42. Interval i contains the z whose bits, minus those of
/// 0.705078125, are in [i 2^45, (i + 1) 2^45).
inline constexpr std::array<double, 512> log_table{
    0x1.6a13cp0, -0x1.63000bb3aap-2, -0x1.973b412573212p-46, 0x0p0,
    0x1.68168p0, -0x1.5d5bd9f596p-2, 0x1.e0b2a0b4f1089p-47, 0x0p0,
    0x1.661ecp0, -0x1.57bf623c8dp-2, 0x1.ae42541102cc8p-47, 0x0p0,
    0x1.642c8p0, -0x1.522ad0738ap-2, -0x1.d7ce0ad74385dp-46, 0x0p0,
    0x1.623fap0, -0x1.4c9df46173p-2, 0x1.d8244c14897cdp-44, 0x0p0,
    0x1.60582p0, -0x1.4718f9271cp-2, 0x1.3b7cd0b5a8685p-45, 0x0p0,
    0x1.5e75cp0, -0x1.419b4f3d5ep-2, -0x1.dd486e903714dp-44, 0x0p0,
    0x1.5c988p0, -0x1.3c251f7333p-2, -0x1.03b54ab5c12a2p-46, 0x0p0,
    0x1.5ac06p0, -0x1.36b692ebe1p-2, 0x1.3464c27727992p-44, 0x0p0,
    0x1.58ed2p0, -0x1.314f151d36p-2, 0x1.df27adab93cc5p-45, 0x0p0,
    0x1.571eep0, -0x1.2bef2c4dc9p-2, 0x1.c5381dd93d9a1p-44, 0x0p0,
    0x1.55556p0, -0x1.269641134dp-2, -0x1.c93c334b1010bp-45, 0x0p0,
    0x1.5390ap0, -0x1.21447950ebp-2, 0x1.e10352d7ae0a5p-48, 0x0p0,
    0x1.51d08p0, -0x1.1bf99a35a7p-2, 0x1.22c895706cbcfp-44, 0x0p0,
    0x1.5015p0, -0x1.16b5c8badp-2, 0x1.2b2990482ca15p-44, 0x0p0,
    0x1.4e5ep0, -0x1.1178c8227ep-2, 0x1.c210fb8fb4d72p-45, 0x0p0,
    0x1.4cab8p0, -0x1.0c42bc7616p-2, 0x1.32775a0d86de9p-45, 0x0p0,
    0x1.4afd6p0, -0x1.07136704d5p-2, -0x1.c0e68b22be06fp-47, 0x0p0,
    0x1.4953ap0, -0x1.01eaeae26cp-2, -0x1.951dcfbbc5b02p-44, 0x0p0,
    0x1.47ae2p0, -0x1.f9920ecb3ap-3, 0x1.8d03da7cce9c4p-48, 0x0p0,
    0x1.460ccp0, -0x1.ef5af44ddp-3, 0x1.fe2111ee663fep-47, 0x0p0,
    0x1.446f8p0, -0x1.e530c7fe7p-3, -0x1.3a4242515d8a1p-44, 0x0p0,
    0x1.42d66p0, -0x1.db13cc0d48p-3, -0x1.0be6a8242a7e3p-44, 0x0p0,
    0x1.41414p0, -0x1.d103772656p-3, 0x1.c4a7e7861a19p-47, 0x0p0,
    0x1.3fb02p0, -0x1.c700096fp-3, 0x1.ee18c06412b93p-45, 0x0p0,
    0x1.3e22cp0, -0x1.bd082783bcp-3, -0x1.0e872d62d1019p-46, 0x0p0,
    0x1.3c996p0, -0x1.b31daa75bcp-3, -0x1.1c74e77248e03p-44, 0x0p0,
    0x1.3b13cp0, -0x1.a93f33c8acp-3, 0x1.4391f682b24f4p-44, 0x0p0,
    0x1.3991cp0, -0x1.9f6c2e708ap-3, 0x1.5bfd94f993f4ap-44, 0x0p0,
    0x1.38138p0, -0x1.95a5a5cf7p-3, -0x1.3f22855f654c3p-47, 0x0p0,
    0x1.3698ep0, -0x1.8beb03b39p-3, 0x1.8cd54aa428226p-47, 0x0p0,
    0x1.3521cp0, -0x1.823bae5518p-3, 0x1.9f917eb795332p-45, 0x0p0,
    0x1.33ae4p0, -0x1.7898b25444p-3, -0x1.b3cf78044b2d4p-45, 0x0p0,
    0x1.323e4p0, -0x1.6f0174b756p-3, 0x1.7a8c5d5036e3ap-44, 0x0p0,
    0x1.30d1ap0, -0x1.657556e8bep-3, -0x1.a03cbd1398366p-45, 0x0p0,
    0x1.2f684p0, -0x1.5bf3b6b542p-3, -0x1.2c7eb6fa0f5bfp-45, 0x0p0,
    0x1.2e026p0, -0x1.527e794a1cp-3, 0x1.a980b807ac13dp-44, 0x0p0,
    0x1.2c9fcp0, -0x1.491424333ap-3, 0x1.2f211bdb4106bp-47, 0x0p0,
    0x1.2b404p0, -0x1.3fb4105992p-3, 0x1.930ed47067722p-44, 0x0p0,
    0x1.29e42p0, -0x1.3660270156p-3, -0x1.e0c614b3bdb26p-44, 0x0p0,
    0x1.288bp0, -0x1.2d1608c868p-3, -0x1.f3ad991ae13e8p-48, 0x0p0,
    0x1.2735p0, -0x1.23d6c2a49ap-3, -0x1.20347969f98bep-44, 0x0p0,
    0x1.25e22p0, -0x1.1aa286e23ep-3, -0x1.b91c6d584209p-44, 0x0p0,
    0x1.24924p0, -0x1.1178a8227ep-3, 0x1.7084443942ab2p-44, 0x0p0,
    0x1.23456p0, -0x1.08595659e2p-3, -0x1.e1b10e70e60b3p-44, 0x0p0,
    0x1.21fb8p0, -0x1.fe89839dbcp-4, 0x1.8d355abd9940ap-47, 0x0p0,
    0x1.20b48p0, -0x1.ec7470309cp-4, 0x1.4006247a686cp-45, 0x0p0,
    0x1.1f704p0, -0x1.da72063844p-4, 0x1.1ddb06a6b91e1p-44, 0x0p0,
    0x1.1e2fp0, -0x1.c886301bcp-4, -0x1.d46d53dafe59p-45, 0x0p0,
    0x1.1cf06p0, -0x1.b6abecdad4p-4, 0x1.46c213ff1e30dp-44, 0x0p0,
    0x1.1bb4ap0, -0x1.a4e72a0b1cp-4, 0x1.4b4adce12acf3p-45, 0x0p0,
    0x1.1a7bap0, -0x1.933675d594p-4, 0x1.ef750efa1627bp-44, 0x0p0,
    0x1.19454p0, -0x1.819856f40cp-4, -0x1.350383c694f6ep-45, 0x0p0,
    0x1.18118p0, -0x1.700d20aeacp-4, -0x1.83d1b3de684ffp-50, 0x0p0,
    0x1.16e06p0, -0x1.5e9526d978p-4, 0x1.a6d0781f224a1p-45, 0x0p0,
    0x1.15b1ep0, -0x1.4d30bdd208p-4, 0x1.073a28fa4a459p-44, 0x0p0,
    0x1.1486p0, -0x1.3be03a7d18p-4, -0x1.8c865cb305924p-45, 0x0p0,
    0x1.135c8p0, -0x1.2aa03a447p-4, -0x1.7248ba85c75ecp-44, 0x0p0,
    0x1.12358p0, -0x1.1972e5146p-4, 0x1.6e4c77c9bbef4p-46, 0x0p0,
    0x1.11112p0, -0x1.085a6b59dcp-4, -0x1.8068c36a8211cp-44, 0x0p0,
    0x1.0fefp0, -0x1.eea2fc0068p-5, -0x1.bbdd835b1833bp-44, 0x0p0,
    0x1.0ecf6p0, -0x1.ccb854ddd8p-5, 0x1.9c477654eca21p-45, 0x0p0,
    0x1.0db2p0, -0x1.aaeded0fa8p-5, -0x1.67e0bcd487afep-44, 0x0p0,
    0x1.0c972p0, -0x1.894bf149f8p-5, 0x1.d7e63f236957ep-44, 0x0p0,
    0x1.0b7e6p0, -0x1.67c78b2d4p-5, 0x1.8578ca398c8a5p-46, 0x0p0,
    0x1.0a682p0, -0x1.466cc542dp-5, -0x1.4b329cb3df775p-46, 0x0p0,
    0x1.0954p0, -0x1.2530b2f8c8p-5, -0x1.07d3ec0431bf5p-46, 0x0p0,
    0x1.08422p0, -0x1.0417b89e68p-5, 0x1.cbb871ec3ed0cp-45, 0x0p0,
    0x1.07326p0, -0x1.c63d06c15p-6, 0x1.5759ce0457bdcp-44, 0x0p0,
    0x1.0624ep0, -0x1.8493028c9p-6, 0x1.1185d123e5b7ep-44, 0x0p0,
    0x1.05198p0, -0x1.432ab2598p-6, -0x1.8813992db8d53p-47, 0x0p0,
    0x1.04104p0, -0x1.020525893p-6, -0x1.591d27c392ec1p-44, 0x0p0,
    0x1.03092p0, -0x1.8246da388p-7, -0x1.34688677f5e3p-45, 0x0p0,
    0x1.0204p0, -0x1.00fd57588p-7, 0x1.0c76e4447e693p-46, 0x0p0,
    0x1.0101p0, -0x1.007f55958p-8, -0x1.066afca871bdp-45, 0x0p0,
    0x1p0, 0x0p0, 0x0p0, 0x0p0,
    0x1.fc08p-1, 0x1.fdfaa6b14p-8, -0x1.98770e7341672p-44, 0x0p0,
    0x1.f81f8p-1, 0x1.fc0b0b0fcp-7, 0x1.f8f3e86147e01p-49, 0x0p0,
    0x1.f4464p-1, 0x1.7b95007d7p-6, 0x1.03ab545906f82p-46, 0x0p0,
    0x1.f07cp-1, 0x1.f82db0e7ap-6, 0x1.980312729348fp-45, 0x0p0,
    0x1.ecc08p-1, 0x1.39e82b9ffp-5, -0x1.e302b8487c536p-44, 0x0p0,
    0x1.e913p-1, 0x1.77474f6338p-5, 0x1.07e26ad242126p-44, 0x0p0,
    0x1.e573cp-1, 0x1.b42c8f11ap-5, -0x1.298a0206c3bf6p-44, 0x0p0,
    0x1.e1e2p-1, 0x1.f0a10c0128p-5, -0x1.d59a92de0b93cp-45, 0x0p0,
    0x1.de5d8p-1, 0x1.1652d6ea3cp-4, -0x1.7ff18bb6e8b79p-44, 0x0p0,
    0x1.dae6p-1, 0x1.341db961bcp-4, 0x1.9d092aed8cba6p-44, 0x0p0,
    0x1.d77b8p-1, 0x1.51af8bf068p-4, 0x1.5f652f593e402p-48, 0x0p0,
    0x1.d41d4p-1, 0x1.6f0d38ae58p-4, -0x1.434641b10f0bdp-44, 0x0p0,
    0x1.d0cb4p-1, 0x1.8c3539632p-4, -0x1.95c1bc3097572p-46, 0x0p0,
    0x1.cd858p-1, 0x1.a92603a4b4p-4, -0x1.61c9dd0830ed5p-44, 0x0p0,
    0x1.ca4b4p-1, 0x1.c5e4bcf5cp-4, -0x1.274eb0936b57p-44, 0x0p0,
    0x1.c71c8p-1, 0x1.e26ff6e2bp-4, 0x1.2e5e93fdd5937p-44, 0x0p0,
    0x1.c3f9p-1, 0x1.fec8831dcp-4, 0x1.33aa93b51a061p-44, 0x0p0,
    0x1.c0e08p-1, 0x1.0d779fcd0ap-3, 0x1.4cb30ef8beba7p-46, 0x0p0,
    0x1.bdd2cp-1, 0x1.1b728b52f6p-3, 0x1.84851f2722772p-44, 0x0p0,
    0x1.bacf8p-1, 0x1.29557f82p-3, 0x1.c4699590e411dp-44, 0x0p0,
    0x1.b7d6cp-1, 0x1.371fd401eap-3, -0x1.e8f886106753dp-44, 0x0p0,
    0x1.b4e8p-1, 0x1.44d336ccbcp-3, -0x1.70cac0bdf22e7p-46, 0x0p0,
    0x1.b2038p-1, 0x1.526dda3a2p-3, -0x1.ee18022b813adp-45, 0x0p0,
    0x1.af288p-1, 0x1.5ff2a70a7cp-3, -0x1.05871583bd7b2p-44, 0x0p0,
    0x1.ac57p-1, 0x1.6d6106719ep-3, -0x1.b46e556bdf211p-44, 0x0p0,
    0x1.a98fp-1, 0x1.7ab860210ep-3, 0x1.048ddfb59706p-46, 0x0p0,
    0x1.a6dp-1, 0x1.87fa86521p-3, 0x1.2212595679851p-44, 0x0p0,
    0x1.a41a4p-1, 0x1.9525b1cf46p-3, -0x1.217137d49c039p-44, 0x0p0,
    0x1.a16d4p-1, 0x1.a23bbffe2cp-3, -0x1.531cd91ddf46p-44, 0x0p0,
    0x1.9ec9p-1, 0x1.af3c24e81p-3, -0x1.e1a51f5ea52b7p-44, 0x0p0,
    0x1.9c2dp-1, 0x1.bc28cf42dcp-3, -0x1.1d3a9300d7caap-44, 0x0p0,
    0x1.99998p-1, 0x1.c8fffc79aep-3, -0x1.77944bdf45989p-45, 0x0p0,
    0x1.970e4p-1, 0x1.d5c264b4fep-3, -0x1.95547a8f12b3ap-44, 0x0p0,
    0x1.948bp-1, 0x1.e270c6e2bp-3, 0x1.7cbd522655eddp-44, 0x0p0,
    0x1.920fcp-1, 0x1.ef0aa2bdc6p-3, 0x1.96947656c00ecp-45, 0x0p0,
    0x1.8f9cp-1, 0x1.fb9206d5e8p-3, -0x1.d570000ec91dcp-47, 0x0p0,
    0x1.8d3p-1, 0x1.0402994b4fp-2, 0x1.0370df44d82d4p-48, 0x0p0,
    0x1.8acb8p-1, 0x1.0a327a273ap-2, 0x1.aff171272b157p-53, 0x0p0,
    0x1.886e4p-1, 0x1.1059109ae8p-2, -0x1.e8e4ac642ba5dp-46, 0x0p0,
    0x1.86188p-1, 0x1.16757ababep-2, -0x1.fc7fbf78ab8a7p-44, 0x0p0,
    0x1.83c98p-1, 0x1.1c8976169ap-2, -0x1.1e8223a76fedfp-45, 0x0p0,
    0x1.81818p-1, 0x1.229423bcf8p-2, -0x1.9e976f595b40dp-44, 0x0p0,
    0x1.7f404p-1, 0x1.2895f63decp-2, -0x1.d53c5790e7ccap-47, 0x0p0,
    0x1.7d06p-1, 0x1.2e8e0bae12p-2, 0x1.4c2700879c369p-44, 0x0p0,
    0x1.7ad24p-1, 0x1.347d84a98bp-2, 0x1.71b4c970cb183p-44, 0x0p0,
    0x1.78a4cp-1, 0x1.3a64db5695p-2, -0x1.938e30bb373f6p-44, 0x0p0,
    0x1.767dcp-1, 0x1.40432f686bp-2, 0x1.e2deaca7c014dp-45, 0x0p0,
    0x1.745dp-1, 0x1.4618fc21c8p-2, -0x1.3d819f2f62f77p-46, 0x0p0,
    0x1.72428p-1, 0x1.4be60f5778p-2, -0x1.cb9252c4b03d4p-45, 0x0p0,
    0x1.702ep-1, 0x1.51aae872ep-2, -0x1.74bd8c5b5272cp-44, 0x0p0,
    0x1.6e1f8p-1, 0x1.5767577456p-2, -0x1.2eadf0af80b6p-48, 0x0p0,
    0x1.6c16cp-1, 0x1.5d1bdff581p-2, -0x1.856bdc9726ce2p-44, 0x0p0,
};

// Trigonometric functions.

/// Polynomial for (sin(r) - r) / r^3 as a function of r^2.
/// Its degree is 2 on [0.0, 0.000602394]. Its error, relative to the function computed with it, is 2^-65.66.
inline constexpr std::array<double, 3> sin_series{
    -0x1.5555555555555p-3, 0x1.11111110c1e72p-7, -0x1.a018ab65a2bc1p-13,
};
/// Polynomial for (cos(r) - 1 + r^2 / 2) / r^4 as a function of r^2.
/// Its degree is 1 on [0.0, 0.000602394]. Its error, relative to the function computed with it, is 2^-61.09.
inline constexpr std::array<double, 2> cos_series{
    0x1.555555552dc05p-5, -0x1.6c15c0c0382f2p-10,
};
/// 64 / pi.
inline constexpr double turn_steps = 0x1.45f306dc9c883p4;
/// Upper 33 bits of pi / 64.
inline constexpr double turn_step_1 = 0x1.921fb544p-5;
/// Next 33 bits of pi / 64.
inline constexpr double turn_step_2 = 0x1.0b4611a6p-39;
/// pi / 64 - turn_step_1 - turn_step_2.
inline constexpr double turn_step_3 = 0x1.3198a2e037073p-74;
/// pi / 64, rounded to the nearest double.
inline constexpr double turn_step_upper = 0x1.921fb54442d18p-5;
/// pi / 64 - turn_step_upper.
inline constexpr double turn_step_lower = 0x1.1a62633145c07p-59;
/// Upper 26 bits and remainder of sin(pi i / 64), for i = 0 to 159. cos(pi i / 64) is the sine at i + 32.
inline constexpr std::array<double, 320> sin_table{
    0x0p0, 0x0p0, 0x1.91f65fp-5, 0x1.0dd813e6ed42fp-33,
    0x1.917a6b8p-4, 0x1.0a6d0af87639dp-30, 0x1.2c81068p-3, 0x1.a3984e8898005p-29,
    0x1.8f8b838p-3, 0x1.1a6982ad92e64p-29, 0x1.f19f978p-3, 0x1.90af8d57a4222p-30,
    0x1.2940628p-2, 0x1.b567c16a2d726p-28, 0x1.58f9a7p-2, 0x1.6ac7f73f8409p-28,
    0x1.87de2ap-2, 0x1.abaa58b469891p-28, 0x1.b5d1008p-2, 0x1.e15cc02b66c59p-30,
    0x1.e2b5d38p-2, 0x1.bd8ec78362475p-36, 0x1.0738798p-1, 0x1.22ffed9697fafp-29,
    0x1.1c73b38p-1, 0x1.ae68c86c9774ap-29, 0x1.30ff7f8p-1, 0x1.385c0d3840ce7p-27,
    0x1.44cf32p-1, 0x1.4247758601da9p-27, 0x1.57d693p-1, 0x1.233b27e8a8df6p-27,
    0x1.6a09e6p-1, 0x1.9fcef32422cbfp-27, 0x1.7b5df2p-1, 0x1.3557d76f0ac85p-28,
    0x1.8bc8068p-1, 0x1.8a8ba05a743dap-28, 0x1.9b3e04p-1, 0x1.fce1d02cf11d8p-27,
    0x1.a9b6628p-1, 0x1.0ea1a3033ec62p-29, 0x1.b72834p-1, 0x1.465b8f643960dp-27,
    0x1.c38b2fp-1, 0x1.80bdb0d23e9d1p-29, 0x1.ced7afp-1, 0x1.0f31dcbc30929p-27,
    0x1.d906bc8p-1, 0x1.cca3518a2bf31p-27, 0x1.e2121p-1, 0x1.3da1b92feb389p-27,
    0x1.e9f415p-1, 0x1.b18b769760b1ep-27, 0x1.f0a7ef8p-1, 0x1.c9186b952c7aep-28,
    0x1.f6297c8p-1, 0x1.fdd72c0ab10b9p-27, 0x1.fa75578p-1, 0x1.c22945a85f573p-27,
    0x1.fd88dap-1, 0x1.e89292cf04139p-28, 0x1.ff621ep-1, 0x1.bcb6bef1d421fp-28,
    0x1p0, 0x0p0, 0x1.ff621ep-1, 0x1.bcb6bef1d421fp-28,
    0x1.fd88dap-1, 0x1.e89292cf04139p-28, 0x1.fa75578p-1, 0x1.c22945a85f573p-27,
    0x1.f6297c8p-1, 0x1.fdd72c0ab10b9p-27, 0x1.f0a7ef8p-1, 0x1.c9186b952c7aep-28,
    0x1.e9f415p-1, 0x1.b18b769760b1ep-27, 0x1.e2121p-1, 0x1.3da1b92feb389p-27,
    0x1.d906bc8p-1, 0x1.cca3518a2bf31p-27, 0x1.ced7afp-1, 0x1.0f31dcbc30929p-27,
    0x1.c38b2fp-1, 0x1.80bdb0d23e9d1p-29, 0x1.b72834p-1, 0x1.465b8f643960dp-27,
    0x1.a9b6628p-1, 0x1.0ea1a3033ec62p-29, 0x1.9b3e04p-1, 0x1.fce1d02cf11d8p-27,
    0x1.8bc8068p-1, 0x1.8a8ba05a743dap-28, 0x1.7b5df2p-1, 0x1.3557d76f0ac85p-28,
    0x1.6a09e6p-1, 0x1.9fcef32422cbfp-27, 0x1.57d693p-1, 0x1.233b27e8a8df6p-27,
    0x1.44cf32p-1, 0x1.4247758601da9p-27, 0x1.30ff7f8p-1, 0x1.385c0d3840ce7p-27,
    0x1.1c73b38p-1, 0x1.ae68c86c9774ap-29, 0x1.0738798p-1, 0x1.22ffed9697fafp-29,
    0x1.e2b5d38p-2, 0x1.bd8ec78362475p-36, 0x1.b5d1008p-2, 0x1.e15cc02b66c59p-30,
    0x1.87de2ap-2, 0x1.abaa58b469891p-28, 0x1.58f9a7p-2, 0x1.6ac7f73f8409p-28,
    0x1.2940628p-2, 0x1.b567c16a2d726p-28, 0x1.f19f978p-3, 0x1.90af8d57a4222p-30,
    0x1.8f8b838p-3, 0x1.1a6982ad92e64p-29, 0x1.2c81068p-3, 0x1.a3984e8898005p-29,
    0x1.917a6b8p-4, 0x1.0a6d0af87639dp-30, 0x1.91f65fp-5, 0x1.0dd813e6ed42fp-33,
    0x0p0, 0x0p0, -0x1.91f65fp-5, -0x1.0dd813e6ed42fp-33,
    -0x1.917a6b8p-4, -0x1.0a6d0af87639dp-30, -0x1.2c81068p-3, -0x1.a3984e8898005p-29,
    -0x1.8f8b838p-3, -0x1.1a6982ad92e64p-29, -0x1.f19f978p-3, -0x1.90af8d57a4222p-30,
    -0x1.2940628p-2, -0x1.b567c16a2d726p-28, -0x1.58f9a7p-2, -0x1.6ac7f73f8409p-28,
    -0x1.87de2ap-2, -0x1.abaa58b469891p-28, -0x1.b5d1008p-2, -0x1.e15cc02b66c59p-30,
    -0x1.e2b5d38p-2, -0x1.bd8ec78362475p-36, -0x1.0738798p-1, -0x1.22ffed9697fafp-29,
    -0x1.1c73b38p-1, -0x1.ae68c86c9774ap-29, -0x1.30ff7f8p-1, -0x1.385c0d3840ce7p-27,
    -0x1.44cf32p-1, -0x1.4247758601da9p-27, -0x1.57d693p-1, -0x1.233b27e8a8df6p-27,
    -0x1.6a09e6p-1, -0x1.9fcef32422cbfp-27, -0x1.7b5df2p-1, -0x1.3557d76f0ac85p-28,
    -0x1.8bc8068p-1, -0x1.8a8ba05a743dap-28, -0x1.9b3e04p-1, -0x1.fce1d02cf11d8p-27,
    -0x1.a9b6628p-1, -0x1.0ea1a3033ec62p-29, -0x1.b72834p-1, -0x1.465b8f643960dp-27,
    -0x1.c38b2fp-1, -0x1.80bdb0d23e9d1p-29, -0x1.ced7afp-1, -0x1.0f31dcbc30929p-27,
    -0x1.d906bc8p-1, -0x1.cca3518a2bf31p-27, -0x1.e2121p-1, -0x1.3da1b92feb389p-27,
    -0x1.e9f415p-1, -0x1.b18b769760b1ep-27, -0x1.f0a7ef8p-1, -0x1.c9186b952c7aep-28,
    -0x1.f6297c8p-1, -0x1.fdd72c0ab10b9p-27, -0x1.fa75578p-1, -0x1.c22945a85f573p-27,
    -0x1.fd88dap-1, -0x1.e89292cf04139p-28, -0x1.ff621ep-1, -0x1.bcb6bef1d421fp-28,
    -0x1p0, 0x0p0, -0x1.ff621ep-1, -0x1.bcb6bef1d421fp-28,
    -0x1.fd88dap-1, -0x1.e89292cf04139p-28, -0x1.fa75578p-1, -0x1.c22945a85f573p-27,
    -0x1.f6297c8p-1, -0x1.fdd72c0ab10b9p-27, -0x1.f0a7ef8p-1, -0x1.c9186b952c7aep-28,
    -0x1.e9f415p-1, -0x1.b18b769760b1ep-27, -0x1.e2121p-1, -0x1.3da1b92feb389p-27,
    -0x1.d906bc8p-1, -0x1.cca3518a2bf31p-27, -0x1.ced7afp-1, -0x1.0f31dcbc30929p-27,
    -0x1.c38b2fp-1, -0x1.80bdb0d23e9d1p-29, -0x1.b72834p-1, -0x1.465b8f643960dp-27,
    -0x1.a9b6628p-1, -0x1.0ea1a3033ec62p-29, -0x1.9b3e04p-1, -0x1.fce1d02cf11d8p-27,
    -0x1.8bc8068p-1, -0x1.8a8ba05a743dap-28, -0x1.7b5df2p-1, -0x1.3557d76f0ac85p-28,
    -0x1.6a09e6p-1, -0x1.9fcef32422cbfp-27, -0x1.57d693p-1, -0x1.233b27e8a8df6p-27,
    -0x1.44cf32p-1, -0x1.4247758601da9p-27, -0x1.30ff7f8p-1, -0x1.385c0d3840ce7p-27,
    -0x1.1c73b38p-1, -0x1.ae68c86c9774ap-29, -0x1.0738798p-1, -0x1.22ffed9697fafp-29,
    -0x1.e2b5d38p-2, -0x1.bd8ec78362475p-36, -0x1.b5d1008p-2, -0x1.e15cc02b66c59p-30,
    -0x1.87de2ap-2, -0x1.abaa58b469891p-28, -0x1.58f9a7p-2, -0x1.6ac7f73f8409p-28,
    -0x1.2940628p-2, -0x1.b567c16a2d726p-28, -0x1.f19f978p-3, -0x1.90af8d57a4222p-30,
    -0x1.8f8b838p-3, -0x1.1a6982ad92e64p-29, -0x1.2c81068p-3, -0x1.a3984e8898005p-29,
    -0x1.917a6b8p-4, -0x1.0a6d0af87639dp-30, -0x1.91f65fp-5, -0x1.0dd813e6ed42fp-33,
    0x0p0, 0x0p0, 0x1.91f65fp-5, 0x1.0dd813e6ed42fp-33,
    0x1.917a6b8p-4, 0x1.0a6d0af87639dp-30, 0x1.2c81068p-3, 0x1.a3984e8898005p-29,
    0x1.8f8b838p-3, 0x1.1a6982ad92e64p-29, 0x1.f19f978p-3, 0x1.90af8d57a4222p-30,
    0x1.2940628p-2, 0x1.b567c16a2d726p-28, 0x1.58f9a7p-2, 0x1.6ac7f73f8409p-28,
    0x1.87de2ap-2, 0x1.abaa58b469891p-28, 0x1.b5d1008p-2, 0x1.e15cc02b66c59p-30,
    0x1.e2b5d38p-2, 0x1.bd8ec78362475p-36, 0x1.0738798p-1, 0x1.22ffed9697fafp-29,
    0x1.1c73b38p-1, 0x1.ae68c86c9774ap-29, 0x1.30ff7f8p-1, 0x1.385c0d3840ce7p-27,
    0x1.44cf32p-1, 0x1.4247758601da9p-27, 0x1.57d693p-1, 0x1.233b27e8a8df6p-27,
    0x1.6a09e6p-1, 0x1.9fcef32422cbfp-27, 0x1.7b5df2p-1, 0x1.3557d76f0ac85p-28,
    0x1.8bc8068p-1, 0x1.8a8ba05a743dap-28, 0x1.9b3e04p-1, 0x1.fce1d02cf11d8p-27,
    0x1.a9b6628p-1, 0x1.0ea1a3033ec62p-29, 0x1.b72834p-1, 0x1.465b8f643960dp-27,
    0x1.c38b2fp-1, 0x1.80bdb0d23e9d1p-29, 0x1.ced7afp-1, 0x1.0f31dcbc30929p-27,
    0x1.d906bc8p-1, 0x1.cca3518a2bf31p-27, 0x1.e2121p-1, 0x1.3da1b92feb389p-27,
    0x1.e9f415p-1, 0x1.b18b769760b1ep-27, 0x1.f0a7ef8p-1, 0x1.c9186b952c7aep-28,
    0x1.f6297c8p-1, 0x1.fdd72c0ab10b9p-27, 0x1.fa75578p-1, 0x1.c22945a85f573p-27,
    0x1.fd88dap-1, 0x1.e89292cf04139p-28, 0x1.ff621ep-1, 0x1.bcb6bef1d421fp-28,
};
/// 2 / pi in binary: a word of zeros, then the 1280 bits after the point.
inline constexpr std::array<std::uint64_t, 21> two_over_pi{
    0x0000000000000000, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041,
    0xfe5163abdebbc561, 0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e,
    0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b,
    0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
    0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab,
    0xf0cfbc209af4361d,
};

// Inverse trigonometric functions.

/// Polynomial for (atan(r) - r) / r^3 as a function of r^2.
/// Its degree is 2 on [0.0, 6.10353e-5]. Its error, relative to the function computed with it, is 2^-64.18.
inline constexpr std::array<double, 3> atan_series{
    -0x1.5555555555547p-2, 0x1.9999999199bd7p-3, -0x1.248cf3e234f31p-3,
};
/// Polynomial for (asin(x) - x) / x^3 as a function of x^2.
/// Its degree is 12 on [0.0, 0.25]. Its error, relative to the function computed with it, is 2^-57.37.
inline constexpr std::array<double, 13> asin_series{
    0x1.5555555555556p-3, 0x1.3333333332ecap-4, 0x1.6db6db6e31f13p-5, 0x1.f1c71c1db0623p-6,
    0x1.6e8bb1c8209a2p-6, 0x1.1c4d35cf95421p-6, 0x1.c9cf07674736ap-7, 0x1.782651caa6547p-7,
    0x1.52420b04b37bep-7, 0x1.65a9c4dfcf8b2p-8, 0x1.1d189408314eep-6, -0x1.e6aaa8a0a04ccp-7,
    0x1.d72b2bc8155f8p-6,
};
/// pi / 2, rounded to the nearest double.
inline constexpr double half_pi_upper = 0x1.921fb54442d18p0;
/// pi / 2 - half_pi_upper.
inline constexpr double half_pi_lower = 0x1.1a62633145c07p-54;
/// atan(i / 64), rounded to the nearest double, and the remainder, for i = 0 to 64.
inline constexpr std::array<double, 130> atan_table{
    0x0p0, 0x0p0, 0x1.fff555bbb729bp-7, -0x1.220c39d4dff5p-61,
    0x1.ffd55bba97625p-6, -0x1.5ec431444912cp-60, 0x1.7fb818430da2ap-5, -0x1.86ef8f794f105p-63,
    0x1.ff55bb72cfdeap-5, -0x1.c934d86d23f1dp-60, 0x1.3f59f0e7c559dp-4, 0x1.ac4ce285df847p-58,
    0x1.7ee182602f10fp-4, -0x1.cfb654c0c3d98p-58, 0x1.be39ebe6f07c3p-4, 0x1.f7b8f29a05987p-58,
    0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59, 0x1.1e1fafb043727p-3, -0x1.b485914dacf8cp-59,
    0x1.3d6eee8c6626cp-3, 0x1.61a3b0ce9281bp-57, 0x1.5c9811e3ec26ap-3, -0x1.054ab2c010f3dp-58,
    0x1.7b97b4bce5b02p-3, 0x1.347b0b4f881cap-58, 0x1.9a6a8e96c8626p-3, 0x1.cf601e7b4348ep-59,
    0x1.b90d7529260a2p-3, 0x1.17b10d2e0e5abp-61, 0x1.d77d5df205736p-3, 0x1.c648d1534597ep-57,
    0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57, 0x1.09dc597d86362p-2, 0x1.62e47390cb865p-56,
    0x1.18bf5a30bf178p-2, 0x1.30ca4748b1bf9p-57, 0x1.278372057ef46p-2, -0x1.077cdd36dfc81p-56,
    0x1.362773707ebccp-2, -0x1.963a544b672d8p-57, 0x1.44aa436c2af0ap-2, -0x1.5d5e43c55b3bap-56,
    0x1.530ad9951cd4ap-2, -0x1.2566480884082p-57, 0x1.614840309cfe2p-2, -0x1.a725715711fp-56,
    0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56, 0x1.7d5604b63b3f7p-2, 0x1.69c885c2b249ap-56,
    0x1.8b24d394a1b25p-2, 0x1.b6d0ba3748fa8p-56, 0x1.98cd5454d6b18p-2, 0x1.9e6c988fd0a77p-56,
    0x1.a64eec3cc23fdp-2, -0x1.24dec1b50b7ffp-56, 0x1.b3a911da65c6cp-2, 0x1.ae187b1ca504p-56,
    0x1.c0db4c94ec9fp-2, -0x1.cc1ce70934c34p-56, 0x1.cde53432c1351p-2, -0x1.a2cfa4418f1adp-56,
    0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56, 0x1.e77eb7f175a34p-2, 0x1.0e53dc1bf3435p-56,
    0x1.f40dd0b541418p-2, -0x1.a3992dc382a23p-57, 0x1.0039c73c1a40cp-1, -0x1.b32c949c9d593p-55,
    0x1.0657e94db30dp-1, -0x1.d5b495f6349e6p-56, 0x1.0c6145b5b43dap-1, 0x1.974fa13b5404fp-58,
    0x1.1255d9bfbd2a9p-1, -0x1.2bdaee1c0ee35p-58, 0x1.1835a88be7c13p-1, 0x1.c621cec00c301p-55,
    0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58, 0x1.23b71e2cc9e6ap-1, 0x1.c421c9f38224ep-57,
    0x1.2958e59308e31p-1, -0x1.09e73b0c6c087p-56, 0x1.2ee628406cbcap-1, 0x1.c5d5e9ff0cf8dp-55,
    0x1.345f01cce37bbp-1, 0x1.1021137c71102p-55, 0x1.39c391cd4171ap-1, -0x1.2304331d8bf46p-55,
    0x1.3f13fb89e96f4p-1, 0x1.ecf8b492644fp-56, 0x1.445065b795b56p-1, -0x1.f76d0163f79c8p-56,
    0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56, 0x1.4e8de5bb6ec04p-1, 0x1.4a33dbeb3796cp-55,
    0x1.538f57b89061fp-1, -0x1.1bb74abda520cp-55, 0x1.587d81f732fbbp-1, -0x1.5e5c9d8c5a95p-56,
    0x1.5d58987169b18p-1, 0x1.0028e4bc5e7cap-57, 0x1.6220d115d7b8ep-1, -0x1.2b785350ee8c1p-57,
    0x1.66d663923e087p-1, -0x1.6ea6febe8bbbap-56, 0x1.6b798920b3d99p-1, -0x1.a80386188c50ep-55,
    0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56, 0x1.748978fba8e0fp-1, 0x1.7b2a6165884a1p-59,
    0x1.78f6bbd5d315ep-1, 0x1.406a08980374p-55, 0x1.7d528289fa093p-1, 0x1.560821e2f3aa9p-55,
    0x1.819d0b7158a4dp-1, -0x1.bf76229d3b917p-56, 0x1.85d69576cc2c5p-1, 0x1.6b66e7fc8b8c3p-57,
    0x1.89ff5ff57f1f8p-1, -0x1.55b9a5e177a1bp-55, 0x1.8e17aa99cc05ep-1, -0x1.ec182ab042f61p-56,
    0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55,
};

// Cube root.

/// Polynomial for the cube root of x.
/// Its degree is 4 on [1.0, 2.0]. Its error, relative to the function computed with it, is 2^-16.24.
inline constexpr std::array<double, 5> cbrt_series{
    0x1.04bc2bde493b9p-1, 0x1.6c697f83452edp-1, -0x1.2d024eeecb9cbp-2, 0x1.544aaec5e4624p-4,
    -0x1.4b077fcd0882bp-7,
};
/// Cube root of 2.
inline constexpr double cbrt_2 = 0x1.428a2f98d728bp0;
/// Cube root of 4.
inline constexpr double cbrt_4 = 0x1.965fea53d6e3dp0;

// Complementary error function.

/// Polynomial for erfc(x) e^(x^2) (1 + x) as a function of (x - 3) / (x + 3), for x in [0, 27.5].
/// Its degree is 22 on [-1.0, 0.803279]. Its error, relative to the function computed with it, is 2^-54.14.
inline constexpr std::array<double, 23> erfc_series{
    0x1.6e9827d229d2dp-1, -0x1.d8f06dfac7986p-3, 0x1.9596c92adb061p-4, -0x1.4f64aa4aa5545p-7,
    -0x1.8600d914677b3p-6, 0x1.67c1899528df8p-6, -0x1.3f82b5cf8af4ep-7, 0x1.a84c55b073086p-10,
    0x1.5297b6bb5b87dp-11, -0x1.81213a28b3a84p-12, -0x1.58cc3d2c90a5p-16, 0x1.d6c27af99dfcap-15,
    -0x1.96944556d6c13p-20, -0x1.2d9b43b2d421p-17, 0x1.18af28dd2bbd5p-22, 0x1.a995cc1dbb14ap-20,
    0x1.fbd7e5e094d2ap-25, -0x1.35d40f2fa761cp-22, -0x1.7d9c105a3d137p-25, 0x1.8ef4feef3e61cp-25,
    0x1.d4e3b7a271d1dp-27, -0x1.4016df0270d7ep-28, -0x1.12a59911a4de8p-29,
};

}  // namespace vw::elementary::tables
// clang-format on
